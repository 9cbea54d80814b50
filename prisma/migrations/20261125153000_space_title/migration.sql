-- What people call a space, whose id stays its address.
ALTER TABLE spaces ADD COLUMN title text;
