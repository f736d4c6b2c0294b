module tagwise.example.org/bench/zcrypto

go 1.26.8

require github.com/zmap/zcrypto v0.0.0-20260725024403-2c658ce3c66f

require (
	github.com/weppos/publicsuffix-go v0.50.4-0.20260715080728-6ed62ce99a4a // indirect
	golang.org/x/crypto v0.54.0 // indirect
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/text v0.40.0 // indirect
)
