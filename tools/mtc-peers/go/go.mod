module tagwise/mtc-peers

go 1.27.1

require (
	github.com/letsencrypt/boulder v0.20261027.0
	golang.org/x/mod v0.41.0
)

require golang.org/x/crypto v0.57.0 // indirect
