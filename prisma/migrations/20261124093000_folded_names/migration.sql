-- By hand: how names are compared, so that nobody passes as a member by a name that looks the same. Without characters
-- that nobody sees; in one form, without case; with single spaces; Cyrillic, Greek and a few other characters as the Latin
-- ones that they look like. What it makes of a name is never shown.
CREATE FUNCTION folded_name("name" TEXT) RETURNS TEXT
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN translate(
      btrim(regexp_replace(
        lower(normalize(
          regexp_replace("name", '[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]+', '', 'g'),
          NFKC)),
        '[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g')),
      'авсенһіјкморѕтухԁԛԝ' || 'αβεζηικμνορτυχ' || 'ıɡɑi1|0',
      'abcehhljkmopstyxdqw' || 'abezhlkmnoptyx' || 'lgalllo');

-- By hand: the live member of a name, among the actors of a tenant.
CREATE INDEX "actors_tenant_id_folded_name_idx" ON "actors" ("tenant_id", folded_name("display_name"))
    WHERE "deleted_at" IS NULL;
