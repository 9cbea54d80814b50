-- The whole schema, a noun after the other as in schema.prisma, which says what tables and columns are for. Here stands in
-- addition what that file cannot express.

-- Full-text search. The extension is trusted: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS unaccent;

-- English inflections, whatever the accents. Accents go before stemming.
CREATE TEXT SEARCH CONFIGURATION spaces (COPY = english);
ALTER TEXT SEARCH CONFIGURATION spaces
    ALTER MAPPING FOR hword, hword_part, word WITH unaccent, english_stem;


-- Tenants

CREATE TABLE tenants (
    tenant_id uuid NOT NULL PRIMARY KEY,
    name text NOT NULL,
    schema_name text NOT NULL,
    status text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    allows_language_model boolean NOT NULL DEFAULT true,
    claims text NOT NULL DEFAULT 'no_members',
    agent_scopes text[] DEFAULT ARRAY[]::text[],
    webhook_hosts text,
    location text,
    status_before text
);
CREATE UNIQUE INDEX tenants_schema_name_key ON tenants (schema_name);

-- The tenant that everybody is in until another one is made. It has no admins, so everybody may speak as anybody.
INSERT INTO tenants (tenant_id, name, schema_name, status, created_at, claims)
VALUES ('00000000-0000-4000-8000-000000000000', 'default', 'tenant_default_00000000', 'active', now(), 'free');

CREATE TABLE tenant_quotas (
    tenant_id uuid NOT NULL PRIMARY KEY REFERENCES tenants ON DELETE RESTRICT,
    events_per_day bigint,
    spaces bigint,
    agents bigint,
    tokens bigint,
    bytes bigint,
    counted_day date NOT NULL,
    counted_events bigint NOT NULL,
    counted_bytes bigint NOT NULL,
    agents_per_human bigint DEFAULT 100,
    tokens_per_human bigint DEFAULT 100
);


-- Actors, and what they identify themselves by

CREATE TABLE actors (
    actor_id text NOT NULL PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE RESTRICT,
    actor_type text NOT NULL,
    display_name text NOT NULL,
    email text,
    agent_profile text,
    metadata text,
    sponsor_id text REFERENCES actors ON DELETE RESTRICT,
    default_space_id text,
    created_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    installation_id text,
    connected_at timestamptz(3),
    agent_adapter text,
    is_admin boolean NOT NULL DEFAULT false,
    is_guest boolean NOT NULL DEFAULT false,
    may_sponsor boolean NOT NULL DEFAULT false,
    disabled_at timestamptz(3),
    stop_reason text,
    stopped_at timestamptz(3),
    stopped_by text,
    created_with text[],
    disabled_by text,
    last_seen_at timestamptz(3)
);
CREATE INDEX ON actors (sponsor_id, created_at);

-- How names are compared, so that nobody passes as a member by a name that looks the same. Without characters that nobody
-- sees; in one form, without case; with single spaces; Cyrillic, Greek and a few other characters as the Latin ones that
-- they look like. What it makes of a name is never shown.
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

-- The live member of a name, among the actors of a tenant.
CREATE INDEX actors_tenant_id_folded_name_idx ON actors (tenant_id, folded_name(display_name))
    WHERE deleted_at IS NULL;

CREATE TABLE api_keys (
    key_hash bytea NOT NULL PRIMARY KEY,
    actor_id text NOT NULL REFERENCES actors ON DELETE CASCADE,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    limits text,
    unused_until timestamptz(3),
    created_with text[],
    revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX api_keys_actor_id_key ON api_keys (actor_id);

CREATE TABLE personal_access_tokens (
    pat_id text NOT NULL PRIMARY KEY,
    actor_id text NOT NULL REFERENCES actors ON DELETE CASCADE,
    name text NOT NULL,
    -- by hand: what kinds there are.
    kind text NOT NULL DEFAULT 'token' CHECK (kind IN ('token', 'session', 'grant')),
    token_hash bytea NOT NULL,
    token_prefix text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3),
    revoked_at timestamptz(3),
    expires_at timestamptz(3),
    limits text,
    created_with text[]
);
CREATE UNIQUE INDEX personal_access_tokens_token_hash_key ON personal_access_tokens (token_hash);
CREATE INDEX ON personal_access_tokens (actor_id, created_at);

CREATE TABLE identities (
    identity_id text NOT NULL PRIMARY KEY,
    actor_id text NOT NULL REFERENCES actors ON DELETE CASCADE,
    issuer text NOT NULL,
    subject text NOT NULL,
    email text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3),
    created_with text[]
);
CREATE UNIQUE INDEX identities_issuer_subject_key ON identities (issuer, subject);
CREATE INDEX ON identities (actor_id);

CREATE TABLE passkeys (
    passkey_id text NOT NULL PRIMARY KEY,
    actor_id text NOT NULL REFERENCES actors ON DELETE CASCADE,
    name text NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3),
    created_with text[]
);
CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys (credential_id);
CREATE INDEX ON passkeys (actor_id, created_at);

CREATE TABLE agent_codes (
    code_id text NOT NULL PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE RESTRICT,
    sponsor_id text NOT NULL REFERENCES actors ON DELETE RESTRICT,
    code_hash bytea NOT NULL,
    display_name text NOT NULL,
    agent_profile text,
    space_ids text[],
    key_limits text,
    key_expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    redeemed_at timestamptz(3),
    agent_id text,
    installation_id text,
    key_hash bytea,
    created_with text[]
);
CREATE UNIQUE INDEX agent_codes_code_hash_key ON agent_codes (code_hash);
CREATE INDEX ON agent_codes (sponsor_id, created_at);

CREATE TABLE memberships (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE RESTRICT,
    actor_id text NOT NULL REFERENCES actors ON DELETE RESTRICT,
    left_as text,
    is_stopped boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, actor_id)
);


-- Spaces

-- Every event updates its space's row. Room on the page keeps the new version there and out of the indexes.
CREATE TABLE spaces (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE RESTRICT,
    space_id text NOT NULL,
    title text,
    description text NOT NULL,
    status text NOT NULL,
    visibility text NOT NULL DEFAULT 'open',
    links text[],
    started_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    created_by text NOT NULL,
    head bigint NOT NULL DEFAULT 0,
    last_event_at timestamptz(3),
    redactions integer NOT NULL DEFAULT 0,
    agent_runs jsonb,
    guard_per_agent smallint,
    guard_total smallint,
    PRIMARY KEY (tenant_id, space_id),
    FOREIGN KEY (tenant_id, created_by) REFERENCES memberships ON DELETE RESTRICT
) WITH (fillfactor = 50);
CREATE INDEX ON spaces (tenant_id, started_at);

CREATE TABLE space_owners (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    actor_id text NOT NULL,
    PRIMARY KEY (tenant_id, space_id, actor_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT
);

CREATE TABLE space_policies (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    who text NOT NULL,
    named text[],
    approvals smallint NOT NULL,
    independent boolean NOT NULL,
    proposer_may_settle boolean NOT NULL,
    changed_by text NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, space_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, changed_by) REFERENCES memberships ON DELETE RESTRICT
);

CREATE TABLE participants (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    actor_id text NOT NULL,
    joined_at timestamptz(3) NOT NULL,
    agent_adapter text,
    PRIMARY KEY (tenant_id, space_id, actor_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT
);
CREATE INDEX ON participants (tenant_id, actor_id);

-- Whether somebody, or an agent of theirs, is in a space. A statement that has this where it need not ask prepares nothing for
-- it: as a part of the statement it would take a page of an open space a tenth longer.
CREATE FUNCTION has_part_in("actor_id" TEXT, "tenant_id" UUID, "space_id" TEXT) RETURNS BOOLEAN
    LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    IF EXISTS (
        SELECT FROM participants p
        WHERE p.tenant_id = has_part_in."tenant_id" AND p.space_id = has_part_in."space_id"
            AND p.actor_id = has_part_in."actor_id"
    ) THEN
        RETURN true;
    END IF;
    RETURN EXISTS (
        SELECT FROM actors a JOIN participants p ON p.actor_id = a.actor_id
        WHERE a.sponsor_id = has_part_in."actor_id" AND p.tenant_id = has_part_in."tenant_id"
            AND p.space_id = has_part_in."space_id"
    );
END $$;

-- How an actor has a space for itself. Without a row: not pinned, and told of mentions.
CREATE TABLE space_preferences (
    tenant_id uuid NOT NULL,
    actor_id text NOT NULL,
    space_id text NOT NULL,
    is_pinned boolean NOT NULL,
    notices text,
    PRIMARY KEY (tenant_id, actor_id, space_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT
);

CREATE TABLE invites (
    invite_id text NOT NULL PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE RESTRICT,
    code_hash bytea NOT NULL,
    email text,
    default_space_id text,
    grants_admin boolean NOT NULL DEFAULT false,
    makes_guest boolean NOT NULL DEFAULT false,
    created_by text,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    redeemed_at timestamptz(3),
    redeemed_by text,
    created_with text[],
    FOREIGN KEY (tenant_id, default_space_id) REFERENCES spaces ON DELETE RESTRICT
);
CREATE UNIQUE INDEX invites_code_hash_key ON invites (code_hash);
CREATE INDEX ON invites (tenant_id, created_at);
CREATE INDEX ON invites (created_by);

CREATE TABLE links (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    link_id text NOT NULL,
    target_id text,
    target_uri text,
    target_key text NOT NULL,
    link_type text NOT NULL,
    attributes text NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, space_id, link_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, target_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, created_by) REFERENCES memberships ON DELETE RESTRICT
);
CREATE INDEX ON links (tenant_id, target_id);
CREATE UNIQUE INDEX links_tenant_id_space_id_target_key_link_type_key
    ON links (tenant_id, space_id, target_key, link_type);

CREATE TABLE summaries (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    summary_id uuid NOT NULL,
    source_hash bytea NOT NULL,
    text text NOT NULL,
    event_count integer NOT NULL,
    model text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, space_id, summary_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT
);
CREATE INDEX ON summaries (tenant_id, space_id, source_hash, created_at);


-- Events and threads

CREATE TABLE events (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    position bigint NOT NULL,
    event_id uuid NOT NULL,
    occurred_at timestamptz(3) NOT NULL,
    speaker_id text NOT NULL,
    thread_id uuid,
    posted_by text NOT NULL,
    idempotency_key text,
    request_hash bytea,
    wire text NOT NULL,
    terms tsvector,
    PRIMARY KEY (tenant_id, space_id, position),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, posted_by) REFERENCES memberships ON DELETE RESTRICT
);
-- Most events are in no thread.
CREATE INDEX ON events (tenant_id, space_id, thread_id, position) WHERE thread_id IS NOT NULL;
CREATE UNIQUE INDEX events_tenant_id_space_id_event_id_key ON events (tenant_id, space_id, event_id);
-- Most events have no idempotency key.
CREATE UNIQUE INDEX events_tenant_id_space_id_posted_by_idempotency_key_key
    ON events (tenant_id, space_id, posted_by, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ON events (tenant_id, space_id, occurred_at, position, speaker_id);

CREATE TABLE threads (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    thread_id uuid NOT NULL,
    parent_event_id uuid NOT NULL,
    subject text NOT NULL,
    posted_by text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, space_id, thread_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, posted_by) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id, parent_event_id) REFERENCES events (tenant_id, space_id, event_id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX threads_tenant_id_space_id_parent_event_id_key ON threads (tenant_id, space_id, parent_event_id);
ALTER TABLE events ADD FOREIGN KEY (tenant_id, space_id, thread_id) REFERENCES threads ON DELETE RESTRICT;

-- The keys that the index has for terms: each term is a number of its own in each stretch of 32,768 positions of a space. So
-- a search reads the entries of its own spaces only, whatever is said elsewhere, and one for the newest matches of a common
-- word does not read all of them. Numbers may collide; what they find is looked at again.
CREATE FUNCTION search_keys("tenant_id" UUID, "space_id" TEXT, "stretch" BIGINT, "terms" TEXT[]) RETURNS BIGINT[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT hashtextextended("term", hashtextextended("space_id", uuid_hash_extended("tenant_id", "stretch")))
                 FROM unnest("terms") AS "term");

-- The list of entries that wait to be merged is long, as the service merges it beside the writers, each second. Without
-- that a writer would have to, and wait.
CREATE INDEX events_search_keys_idx ON events
    USING gin (search_keys(tenant_id, space_id, position / 32768, tsvector_to_array(terms)))
    WITH (gin_pending_list_limit = 16384) WHERE terms IS NOT NULL;

-- Only the owner of an index may merge its list of new entries. The role that serves owns none, and asks for it here.
-- Anybody else who can connect has no business with it.
CREATE FUNCTION merge_search_index() RETURNS BIGINT
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT
    RETURN gin_clean_pending_list(to_regclass('events_search_keys_idx'));

REVOKE ALL ON FUNCTION merge_search_index() FROM PUBLIC;


-- Whom events address

CREATE TABLE mentions (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    participant_id text NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (tenant_id, space_id, participant_id, position),
    FOREIGN KEY (tenant_id, space_id, position) REFERENCES events ON DELETE RESTRICT
);

CREATE TABLE attention (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    actor_id text NOT NULL,
    position bigint NOT NULL,
    is_mention boolean NOT NULL,
    is_reply boolean NOT NULL,
    in_thread boolean NOT NULL,
    PRIMARY KEY (tenant_id, space_id, actor_id, position),
    FOREIGN KEY (tenant_id, space_id, position) REFERENCES events ON DELETE RESTRICT
);

-- Room for new versions of a row beside the old one, as it changes with every event that addresses its actor.
CREATE TABLE attention_heads (
    tenant_id uuid NOT NULL,
    actor_id text NOT NULL,
    space_id text NOT NULL,
    head bigint NOT NULL,
    raised_at timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, actor_id, space_id),
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT
) WITH (fillfactor = 70);

CREATE TABLE read_cursors (
    tenant_id uuid NOT NULL,
    actor_id text NOT NULL,
    space_id text NOT NULL,
    position bigint NOT NULL,
    seen bigint NOT NULL DEFAULT 0,
    seen_from bigint NOT NULL DEFAULT 0,
    seen_at timestamptz(3),
    viewed bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, actor_id, space_id),
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT
) WITH (fillfactor = 70);

CREATE TABLE done_marks (
    tenant_id uuid NOT NULL,
    actor_id text NOT NULL,
    space_id text NOT NULL,
    position bigint NOT NULL,
    head bigint NOT NULL,
    outcome text,
    reason text,
    marked_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant_id, actor_id, space_id, position),
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT
);

CREATE TABLE notices (
    tenant_id uuid NOT NULL,
    actor_id text NOT NULL,
    notice_id uuid NOT NULL DEFAULT gen_random_uuid(),
    kind text NOT NULL,
    subject text NOT NULL,
    space_id text,
    details text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    seen_at timestamptz(3),
    PRIMARY KEY (tenant_id, actor_id, kind, subject),
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT
);


-- Decisions

CREATE TABLE decisions (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    decision_id uuid NOT NULL,
    proposed_by text NOT NULL,
    text text NOT NULL,
    status text NOT NULL,
    resolved_by text,
    resolved_at timestamptz(3),
    resolution text,
    created_at timestamptz(3) NOT NULL,
    posted_by text NOT NULL,
    settled_by text,
    idempotency_key text,
    request_hash bytea,
    approved_by text[] DEFAULT ARRAY[]::text[],
    assignees text[] DEFAULT ARRAY[]::text[],
    given_approvals smallint,
    required_approvals smallint,
    review_at timestamptz(3),
    review_told_at timestamptz(3),
    superseded_by uuid,
    supersedes uuid,
    approvals_not_counted text,
    rules_at_proposal text NOT NULL,
    PRIMARY KEY (tenant_id, space_id, decision_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, posted_by) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, settled_by) REFERENCES memberships ON DELETE RESTRICT
);
CREATE INDEX ON decisions (tenant_id, space_id, created_at);
CREATE UNIQUE INDEX decisions_tenant_id_space_id_posted_by_idempotency_key_key
    ON decisions (tenant_id, space_id, posted_by, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ON decisions USING gin (assignees);
-- Most decisions need no review, or nobody has to be told of it any more.
CREATE INDEX ON decisions (review_at) WHERE review_at IS NOT NULL AND review_told_at IS NULL;

CREATE TABLE decision_acts (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    position bigint NOT NULL,
    decision_id uuid,
    actor_id text,
    wire text NOT NULL,
    PRIMARY KEY (tenant_id, space_id, position),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id, decision_id) REFERENCES decisions ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT
);
CREATE INDEX ON decision_acts (tenant_id, space_id, decision_id, position);


-- Who works on what

-- A row for each thing that was ever claimed, as its fence never starts again. What is said of the progress changes it, and no index.
CREATE TABLE work_claims (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    claim_id uuid NOT NULL,
    subject text NOT NULL,
    fence bigint NOT NULL,
    holder_id text NOT NULL,
    is_accepted boolean NOT NULL DEFAULT true,
    note text,
    progress text,
    progress_at timestamptz(3),
    claimed_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, space_id, claim_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, holder_id) REFERENCES memberships ON DELETE RESTRICT
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX work_claims_tenant_id_space_id_subject_key ON work_claims (tenant_id, space_id, subject);
CREATE INDEX ON work_claims (tenant_id, holder_id, expires_at);


-- Webhooks

CREATE TABLE webhooks (
    tenant_id uuid NOT NULL,
    webhook_id text NOT NULL,
    owner_id text NOT NULL,
    url text NOT NULL,
    space_id text,
    inbox_of text,
    types text[],
    payload text NOT NULL,
    reach text[],
    has_reach boolean NOT NULL,
    expires_at timestamptz(3),
    generation integer NOT NULL DEFAULT 1,
    rotated_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    disabled_at timestamptz(3),
    disabled_reason text,
    attempts bigint NOT NULL DEFAULT 0,
    verified_at timestamptz(3),
    created_with text[],
    PRIMARY KEY (tenant_id, webhook_id),
    FOREIGN KEY (tenant_id, owner_id) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, inbox_of) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    -- It is about one thing.
    CONSTRAINT webhooks_target_check CHECK (num_nonnulls(space_id, inbox_of) = 1)
);
CREATE INDEX ON webhooks (tenant_id, owner_id, created_at);
CREATE INDEX ON webhooks (tenant_id, inbox_of);
CREATE INDEX ON webhooks (tenant_id, space_id);
CREATE INDEX ON webhooks (tenant_id, created_at);

-- Each delivery changes the rows of the next two tables a few times, and mostly what no index has.
CREATE TABLE webhook_cursors (
    tenant_id uuid NOT NULL,
    webhook_id text NOT NULL,
    space_id text NOT NULL,
    position bigint NOT NULL,
    act_position bigint NOT NULL DEFAULT 0,
    message_id uuid,
    message_type text,
    message_end bigint,
    message_at timestamptz(3),
    message_checkpoint text,
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz(3),
    next_attempt_at timestamptz(3),
    lease_id uuid,
    leased_until timestamptz(3),
    retry_at timestamptz(6),
    PRIMARY KEY (tenant_id, webhook_id, space_id),
    FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT
) WITH (fillfactor = 50);
CREATE INDEX ON webhook_cursors (tenant_id, space_id);
-- Few deliveries fail.
CREATE INDEX ON webhook_cursors (retry_at) WHERE retry_at IS NOT NULL;

CREATE TABLE webhook_attempts (
    tenant_id uuid NOT NULL,
    webhook_id text NOT NULL,
    slot smallint NOT NULL,
    message_id uuid NOT NULL,
    message_type text NOT NULL,
    space_id text,
    count integer NOT NULL,
    started_at timestamptz(3) NOT NULL,
    duration_ms integer NOT NULL,
    status smallint,
    error text,
    number bigint NOT NULL,
    PRIMARY KEY (tenant_id, webhook_id, slot),
    FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE
) WITH (fillfactor = 50);


CREATE TABLE notification_settings (
    tenant_id uuid NOT NULL,
    actor_id text NOT NULL,
    delay_minutes smallint NOT NULL,
    quiet_from text,
    quiet_until text,
    time_zone text NOT NULL,
    notices text NOT NULL DEFAULT 'mentions',
    PRIMARY KEY (tenant_id, actor_id),
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT
);

CREATE TABLE notification_channels (
    tenant_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    actor_id text NOT NULL,
    kind text NOT NULL,
    name text,
    address text NOT NULL,
    push_keys jsonb,
    verified_at timestamptz(3),
    asked_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    created_with text[] NOT NULL DEFAULT '{}',
    told jsonb NOT NULL DEFAULT '{}',
    told_notices uuid[] NOT NULL DEFAULT '{}',
    told_at timestamptz(3),
    batch jsonb,
    failures integer NOT NULL DEFAULT 0,
    due_at timestamptz(6) NOT NULL,
    lease_id uuid,
    PRIMARY KEY (tenant_id, channel_id),
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT
) WITH (fillfactor = 70);
CREATE INDEX ON notification_channels (tenant_id, actor_id);
CREATE INDEX ON notification_channels (due_at);


-- The security log, and what the operator has erased

CREATE TABLE audit_entries (
    entry_id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
    tenant_id uuid NOT NULL,
    action text NOT NULL,
    actor_id text,
    credential_id text,
    address text,
    subject_id text NOT NULL,
    created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
    details text
);
CREATE INDEX ON audit_entries (tenant_id, created_at, entry_id);
CREATE INDEX ON audit_entries (created_at, entry_id);
CREATE INDEX ON audit_entries (tenant_id, action, created_at, entry_id);
CREATE INDEX ON audit_entries (tenant_id, actor_id, created_at, entry_id);
CREATE INDEX ON audit_entries (tenant_id, subject_id, created_at, entry_id);

-- The service only ever adds to the security log. A table without rows may be emptied, as a restore does.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_empty BOOLEAN := false;
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        EXECUTE format('SELECT NOT EXISTS (SELECT FROM %s)', TG_RELID::regclass) INTO is_empty;
    END IF;
    IF NOT is_empty THEN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE erasures (
    erasure_id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    event_id uuid,
    leaf_hash bytea,
    events bigint NOT NULL,
    requested_by text NOT NULL,
    reason text,
    started_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3),
    act_hashes text,
    event_hashes text,
    noun text,
    subject_id text
);
CREATE INDEX ON erasures (started_at, erasure_id);
CREATE UNIQUE INDEX erasures_tenant_id_space_id_event_id_key ON erasures (tenant_id, space_id, event_id);


-- Merkle trees over histories

-- Sealing changes a row each second, and what no index has.
CREATE TABLE log_trees (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    tree text NOT NULL,
    epoch integer NOT NULL DEFAULT 1,
    size bigint NOT NULL DEFAULT 0,
    frontier bytea NOT NULL DEFAULT '\x',
    marks bytea NOT NULL DEFAULT '\x',
    checkpoint text,
    signed_by text,
    sealed_at timestamptz(3),
    PRIMARY KEY (tenant_id, space_id, tree)
) WITH (fillfactor = 50);

CREATE TABLE log_epochs (
    epoch integer NOT NULL PRIMARY KEY
);

CREATE TABLE log_tiles (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    tree text NOT NULL,
    level smallint NOT NULL,
    index bigint NOT NULL,
    hash bytea NOT NULL,
    marks bytea NOT NULL DEFAULT '\x',
    PRIMARY KEY (tenant_id, space_id, tree, level, index)
);

CREATE TABLE audit_positions (
    tenant_id uuid NOT NULL,
    position bigint NOT NULL,
    entry_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, position)
);
CREATE UNIQUE INDEX audit_positions_entry_id_key ON audit_positions (entry_id);

-- The bytes of an entry of the security log, whose rows are columns: the one spelling that is hashed and exported.
CREATE FUNCTION audit_wire("entry" audit_entries) RETURNS TEXT
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN '{"entry_id":' || to_json(("entry").entry_id)
        || ',"tenant_id":' || to_json(("entry").tenant_id)
        || ',"action":' || to_json(("entry").action)
        || ',"actor_id":' || coalesce(to_json(("entry").actor_id)::text, 'null')
        || ',"credential_id":' || coalesce(to_json(("entry").credential_id)::text, 'null')
        || ',"address":' || coalesce(to_json(("entry").address)::text, 'null')
        || ',"subject_id":' || to_json(("entry").subject_id)
        || ',"details":' || coalesce(("entry").details, 'null')
        || ',"created_at":"' || to_char(("entry").created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '"}';


-- Tenants that move

-- What belongs to a tenant that is not here as a whole does not change: it is being copied from another installation, or on
-- its way to one, or there, or it is being deleted. Only who copies, restores or deletes it says so, in a setting of the
-- session. Whoever moves a tenant changes its status, and then waits until all transactions have ended that wrote before: so
-- nothing is written afterwards, not even by a server that was frozen in the middle of a request. What servers write all the
-- time is not watched here, as their statements look at the status themselves: appends, counts, and uses of credentials.
CREATE FUNCTION refuse_unless_here() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed RECORD;
    changed_tenant UUID;
BEGIN
    IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
    IF TG_ARGV[0] = 'of actor' THEN
        SELECT a.tenant_id INTO changed_tenant FROM actors a WHERE a.actor_id = changed.actor_id;
    ELSE
        changed_tenant := changed.tenant_id;
    END IF;
    -- The row of the tenant itself is watched as it was before.
    IF TG_TABLE_NAME = 'tenants' OR EXISTS (
        SELECT FROM tenants WHERE tenant_id = changed_tenant AND status NOT IN ('active', 'suspended')
    ) THEN
        RAISE EXCEPTION 'tenant % is not here as a whole: % must not change', changed_tenant, TG_TABLE_NAME
            USING ERRCODE = 'TM503';
    END IF;
    RETURN NULL;
END $$;

DO $$
DECLARE
    watched RECORD;
BEGIN
    FOR watched IN SELECT * FROM (VALUES
        ('tenant_quotas', 'INSERT OR DELETE OR UPDATE OF events_per_day, spaces, agents, tokens, bytes, agents_per_human, tokens_per_human', ''),
        ('actors', 'INSERT OR DELETE OR UPDATE OF tenant_id, actor_type, display_name, email, agent_profile, metadata, sponsor_id, default_space_id, created_at, deleted_at, installation_id, connected_at, agent_adapter, is_admin, disabled_at, stop_reason, stopped_at, stopped_by, created_with, disabled_by', ''),
        ('api_keys', 'INSERT OR DELETE OR UPDATE OF key_hash, limits, expires_at, revoked_at, created_at', '''of actor'''),
        ('personal_access_tokens', 'INSERT OR DELETE OR UPDATE OF name, token_hash, limits, expires_at, revoked_at', '''of actor'''),
        ('identities', 'INSERT OR DELETE OR UPDATE OF email', '''of actor'''),
        ('passkeys', 'INSERT OR DELETE', '''of actor'''),
        ('agent_codes', 'INSERT OR UPDATE OR DELETE', ''),
        ('memberships', 'INSERT OR UPDATE OR DELETE', ''),
        ('spaces', 'INSERT OR DELETE OR UPDATE OF description, status, links, started_at, ended_at, redactions, guard_total, guard_per_agent', ''),
        ('space_owners', 'INSERT OR UPDATE OR DELETE', ''),
        ('space_policies', 'INSERT OR UPDATE OR DELETE', ''),
        ('participants', 'INSERT OR UPDATE OR DELETE', ''),
        ('space_preferences', 'INSERT OR UPDATE OR DELETE', ''),
        ('invites', 'INSERT OR UPDATE OR DELETE', ''),
        ('links', 'INSERT OR UPDATE OR DELETE', ''),
        ('summaries', 'INSERT OR UPDATE OR DELETE', ''),
        ('events', 'UPDATE OR DELETE', ''),
        ('threads', 'INSERT OR UPDATE OR DELETE', ''),
        ('mentions', 'UPDATE OR DELETE', ''),
        ('attention', 'UPDATE OR DELETE', ''),
        ('attention_heads', 'DELETE', ''),
        ('read_cursors', 'INSERT OR UPDATE OR DELETE', ''),
        ('done_marks', 'INSERT OR UPDATE OR DELETE', ''),
        ('notices', 'INSERT OR UPDATE OR DELETE', ''),
        ('decisions', 'INSERT OR UPDATE OR DELETE', ''),
        ('decision_acts', 'INSERT OR UPDATE OR DELETE', ''),
        ('work_claims', 'INSERT OR UPDATE OR DELETE', ''),
        ('webhooks', 'INSERT OR UPDATE OR DELETE', ''),
        ('webhook_cursors', 'INSERT OR UPDATE OR DELETE', ''),
        ('webhook_attempts', 'INSERT OR UPDATE OR DELETE', ''),
        ('notification_settings', 'INSERT OR UPDATE OR DELETE', ''),
        ('notification_channels', 'INSERT OR UPDATE OR DELETE', ''),
        ('audit_entries', 'INSERT', ''),
        ('erasures', 'INSERT OR UPDATE OR DELETE', ''),
        ('log_trees', 'INSERT OR UPDATE OR DELETE', ''),
        ('log_tiles', 'INSERT OR UPDATE OR DELETE', ''),
        ('audit_positions', 'INSERT OR UPDATE OR DELETE', '')
    ) AS w(of_table, changes, argument)
    LOOP
        EXECUTE format(
            'CREATE TRIGGER %I AFTER %s ON %I FOR EACH ROW
             WHEN (current_setting(''spaces.carries_tenants'', true) IS DISTINCT FROM ''on'')
             EXECUTE FUNCTION refuse_unless_here(%s)',
            watched.of_table || '_here', watched.changes, watched.of_table, watched.argument);
    END LOOP;
END $$;

-- Of the tenant itself, only who moves it changes what it is.
CREATE TRIGGER tenants_here AFTER UPDATE OR DELETE ON tenants FOR EACH ROW
    WHEN (OLD.status NOT IN ('active', 'suspended') AND current_setting('spaces.carries_tenants', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION refuse_unless_here();


-- What servers share

CREATE TABLE registration_counts (
    address text NOT NULL,
    hour timestamptz(3) NOT NULL,
    count integer NOT NULL,
    PRIMARY KEY (address, hour)
);
CREATE INDEX ON registration_counts (hour);

CREATE TABLE oauth_records (
    kind text NOT NULL,
    id_hash bytea NOT NULL,
    grant_id text,
    payload jsonb NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (kind, id_hash)
);
CREATE INDEX ON oauth_records (grant_id);
CREATE INDEX ON oauth_records (expires_at);

-- Unlogged, as it is written every second and not worth a write to the disk.
CREATE UNLOGGED TABLE limit_counts (
    key text NOT NULL,
    server_id uuid NOT NULL,
    count integer NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (key, server_id)
);
CREATE INDEX ON limit_counts (expires_at);

CREATE TABLE used_codes (
    code_hash bytea NOT NULL PRIMARY KEY,
    expires_at timestamptz(3) NOT NULL
);
CREATE INDEX ON used_codes (expires_at);

-- Unlogged: what a crash loses is asked for again.
CREATE UNLOGGED TABLE device_codes (
    device_hash bytea NOT NULL PRIMARY KEY,
    user_code text NOT NULL,
    name text NOT NULL,
    address text,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    answer text
);
CREATE UNIQUE INDEX device_codes_user_code_key ON device_codes (user_code);
CREATE INDEX ON device_codes (expires_at);

CREATE TABLE server_keys (
    "only" boolean NOT NULL DEFAULT true PRIMARY KEY,
    fingerprint text NOT NULL,
    CONSTRAINT server_keys_only_check CHECK ("only")
);
