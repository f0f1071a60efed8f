"""The look of Backwire: colours, fonts, sizes and icons."""
