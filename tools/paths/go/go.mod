module tagwise/paths

go 1.24
