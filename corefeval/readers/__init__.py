from corefeval.readers.conll import read_pair as read_pair
