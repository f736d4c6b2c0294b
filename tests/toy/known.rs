    Toy<'_> = PE_TOY;
