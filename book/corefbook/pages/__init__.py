"""What pages ask: the forms, chapters that run, the moving figure."""
