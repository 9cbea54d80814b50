-- Browsers are told, too, and people say once what they want to be told of all spaces.
ALTER TABLE notification_channels ADD COLUMN name text, ADD COLUMN push_keys jsonb;
ALTER TABLE notification_settings ADD COLUMN notices text NOT NULL DEFAULT 'mentions';
ALTER TABLE space_preferences ALTER COLUMN notices DROP NOT NULL;
