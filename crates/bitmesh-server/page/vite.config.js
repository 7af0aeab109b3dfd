// One script and one style sheet under fixed names: the built files are part of the crate and are compared when it is
// tested, so that the server can be built where there is no Node.

// Chessground writes one style attribute, which the policy of the page does not allow; style.css says the same.
const INLINE_STYLE = "style: 'color-scheme:light only',";
const withoutInlineStyle = {
  name: 'without-inline-style',
  transform(code, id) {
    if (!id.endsWith('/chessground/dist/wrap.js')) return null;
    if (!code.includes(INLINE_STYLE)) throw new Error('chessground no longer has the inline style that is removed here');
    return code.replace(INLINE_STYLE, '');
  },
};

export default {
  base: './',
  plugins: [withoutInlineStyle],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rollupOptions: {
      output: {
        entryFileNames: 'explorer.js',
        assetFileNames: 'explorer[extname]',
      },
    },
  },
};
