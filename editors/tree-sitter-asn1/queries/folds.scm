[(braces) (structure) (imports) (exports) (comment)] @fold
