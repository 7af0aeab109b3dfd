// A player's flag has fallen. Is the game lost, or drawn (FIDE Laws of Chess, article 6.9)?
//
//     c++ -std=c++17 flag_fall.cpp $(pkg-config --cflags --libs bitmesh) -o flag_fall
//     ./flag_fall '8/8/8/4k3/8/3n4/8/K7 w - - 0 1' white
#include "bitmesh.hpp"

#include <iostream>

int main(int argc, char **argv) {
    const std::string flagged = argc == 3 ? argv[2] : "";
    if (flagged != "white" && flagged != "black") {
        std::cerr << "usage: " << argv[0] << " FEN white|black   (whose flag has fallen)\n";
        return 2;
    }
    try {
        bitmesh::Decider decider;
        const bitmesh::Decision decision =
            decider.decide(argv[1], flagged == "white" ? BITMESH_BLACK : BITMESH_WHITE);
        switch (decision.verdict) {
        case bitmesh::Verdict::winnable:
            std::cout << "lost: the opponent can still give mate, for example in " << decision.plies << " plies";
            break;
        case bitmesh::Verdict::unwinnable:
            std::cout << "drawn: the opponent can never give mate";
            break;
        case bitmesh::Verdict::undecided:
            std::cout << "undecided: an arbiter must look\n";
            return 1;
        }
        // The evidence stands for itself: who doubts the answer examines it.
        std::cout << (bitmesh::is_verified(decision.evidence, argv[1]) ? " (verified)\n" : " (NOT VERIFIED)\n");
        return 0;
    } catch (const bitmesh::Failure &failure) {
        std::cerr << failure.what() << " (" << failure.code() << ")\n";
        return 2;
    }
}
