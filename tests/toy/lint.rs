    TOY_CRITICAL = "9999" "1" "critical", Error, Certificate,
        "the toy is critical",
        "It must not be critical, because nobody has to play.",
        PE_TOY must be not_critical;
