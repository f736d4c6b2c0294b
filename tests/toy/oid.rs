    Extension "RFC 9999" {
        PE_TOY = "2.999.7", "id-pe-toy", "toy";
    }
