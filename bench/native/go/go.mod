module tagwise/bench

go 1.22
