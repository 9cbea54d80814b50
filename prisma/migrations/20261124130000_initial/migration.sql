-- The whole schema, grouped as in schema.prisma, which documents tables and columns. Comments here cover what that file
-- cannot express.

-- Full-text search. The extension is trusted: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS unaccent;

-- English stemming, ignoring accents, which are removed first. No stop words: "IT", "WHO" and the letter of "plan A"
-- must be searchable.
CREATE TEXT SEARCH DICTIONARY spaces_stem (TEMPLATE = snowball, LANGUAGE = english);
CREATE TEXT SEARCH CONFIGURATION spaces (COPY = english);
ALTER TEXT SEARCH CONFIGURATION spaces
    ALTER MAPPING FOR asciihword, asciiword, hword_asciipart WITH spaces_stem;
ALTER TEXT SEARCH CONFIGURATION spaces
    ALTER MAPPING FOR hword, hword_part, word WITH unaccent, spaces_stem;


-- Tenants

CREATE TABLE tenants (
    tenant_id uuid NOT NULL PRIMARY KEY,
    name text NOT NULL,
    schema_name text NOT NULL,
    status text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    allows_language_model boolean NOT NULL DEFAULT true,
    attribution text NOT NULL DEFAULT 'no_members',
    agent_scopes text[] DEFAULT ARRAY[]::text[],
    webhook_hosts jsonb,
    location text,
    status_before text
);
CREATE UNIQUE INDEX tenants_schema_name_key ON tenants (schema_name);

-- The default tenant, of all actors without another one. It has no admins, so any attribution is allowed.
INSERT INTO tenants (tenant_id, name, schema_name, status, created_at, attribution)
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
    file_bytes bigint,
    agents_per_human bigint DEFAULT 100,
    tokens_per_human bigint DEFAULT 100
);


-- Actors, and their credentials

CREATE TABLE actors (
    actor_id text NOT NULL PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE RESTRICT,
    actor_type text NOT NULL,
    display_name text NOT NULL,
    email text,
    agent_profile text,
    title text,
    time_zone text,
    picture bytea,
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
    last_seen_at timestamptz(3),
    -- A deleted agent stays in its tenant when its sponsor moves.
    live_in uuid GENERATED ALWAYS AS (CASE WHEN deleted_at IS NULL THEN tenant_id END) STORED
);
CREATE INDEX ON actors (sponsor_id, created_at);
CREATE UNIQUE INDEX actors_tenant_id_actor_id_key ON actors (tenant_id, actor_id);
-- A live agent is in the tenant of its sponsor. One statement moves both. The other columns that name actors or spaces
-- (disabled_by, stopped_by, default_space_id) have no such key: memberships and spaces refer to actors, and each row
-- would have to exist before the other. An import and `operate check` compare them.
ALTER TABLE actors ADD FOREIGN KEY (live_in, sponsor_id) REFERENCES actors (tenant_id, actor_id) ON DELETE RESTRICT;

-- Returns the form in which names are compared, so that a speaker cannot impersonate a member by a name that looks the
-- same: `lookalikeForm` of packages/domain/src/lookalike.ts, which documents the rules and the source of the letters.
-- The form is never shown.
CREATE FUNCTION folded_name("name" TEXT) RETURNS TEXT
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (
      SELECT replace(replace(replace(replace(replace(replace(replace(replace(x.form, 'rn', 'm'), 'ae', 'æ'), 'oe', 'œ'), 'oo', 'ꝏ'), 'dz', 'ʣ'), 'ts', 'ʦ'), 'lo', 'ю'), 'bl', 'ы')
      FROM (SELECT
      E'01Ii|ÐØøĐđĦħıĸŁłŦŧƀƂƃƄƉƌƍƑƒƖƗƙƚƝƞƟƥƦƧƭƮƴƵƶƷƻƼƽƿǀǤǥȜȢȣȤȥȼȾɄɆɇɈɉɍɎɏɑɓɖɗəɛɠɡɢɣɦɨɩɪɫ' ||
      E'ɭɯɱɳɴɵɶɼɽʀʂʋʍʏʐʒʙʜʟʠʿͰͶͷͻͽͿΑΒΕΖΗΘΙΚΛΜΝΟΡΣΤΥΧαβγδεηθικνορςστυφϛϜϨϩϳϷϸϺϽϿЄЅІЈАБВГЕ' ||
      E'ЗКЛМНОПРСТУФХЬабвгезикмнопрстуфхьяєѕіјћѡѢѣѰѱѲѳѴѵҊҋҌҍҒғҖҗҘҙҚқҞҟҢңҪҫҬҭҮүҰұҲһҽҾҿӀӅӆ' ||
      E'ӇӈӉӊӋӌӍӎӏӔӕӘәӠӡӨөԁԊԌԍԐԑԛԜԝԻՄՊՌՍՏՓՕագզծհյոպռսցքօ\u05d5\u05d8\u05df\u05e1\u0627\u063d\u0647\u064a\u0661\u0665\u0667\u0668\u066e\u066f\u0692\u06a7\u06a9\u06aa\u06b5\u06ba\u06be\u06c1\u06c3\u06c6\u06c7\u06c9\u06cc\u06ce\u06d0\u06d2\u06d5\u06ee\u06ef' ||
      E'\u06f1\u06f2\u06f3\u06f4\u06f5\u06f6\u06f7\u06f8\u06f9\u06ff\u0756\u0762\u0767\u0769\u077e\u07c0\u07ca\u08a9\u08ae\u08af\u08b0\u08b1\u08b2\u08b9\u08ba\u08bb\u08bc\u08bd०१০৪৭੦੧੪ઽ૦૨૩૪૮ଠ୦୨ஜர௦௧௨௪௭௮௰ఢభష౦ಅಆಇಒಜಞಣಯಱಲ೦೧೨೯ഉജഠണറഴശൎ' ||
      E'ൡ൦൭෪෫ฃซฏดตทมฦๅ๐ຈຍບປຝພຟ໐ཪဝ၀ၥႠყჳჿᅳᅵᆨᆫᆮᆯᆷᆸᆺᆼᆽᆾᆿᇀᇁᇂᇫᇰᇹሀሣቀበኔዐᎠᎡᎢᎥᎨᎩᎪᎫᎬᎰᎱᎳᎷᎻᎽᎾᎿᏀᏂᏃᏇᏋᏌᏎ' ||
      E'ᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏫᏮᏰᏲᏳᏴᏻᏼᐃᐯᐱᑌᑎᑭᑯᒍᒥᒪᒿᓑᕀᕁᕷᕼᕽᖇᖯᖴᖵᖷᗄᗅᗞᗪᗯᗰᗷᘂᘃᘄᘇᘢᘣᘤᘮᘯᘴᘵᚷᛁᛂᛕᛖᛘᛡᛰឣᡕᢖᣛ᧐᧑᪀᪐᭒᭓᭘ᴀᴄ' ||
      E'ᴅᴇᴈᴊᴋᴍᴏᴐᴑᴘᴛᴜᴠᴡᴢᴤᴦᴧᴨᴩᴫᵮᵯᵰᵲᵳᵴᵵᵶᵻᵼᵽᵾᵿᶃᶌᶐẝỿↃↄⱧⱩⲄⲅⲆⲈⲉⲎⲒⲔⲕⲖⲘⲚⲞⲟⲠⲢⲣⲤⲥⲦⲨⲪⲫⲬⲭⲮⲱⲼⲽⳊⳌⳍⳐⳑⳒⳜⳤ' ||
      E'ⴱⴷⴸⴹⴺⵁⵉⵏⵔⵕⵙⵝⵠⵣ〇イエカタトニハヘロ㦳䎛䐠一倂值啟囗填士壿嬀帲幐戸搉晣晩曶朦柿槩樧潙硏絶肦胊胐胶脁脧腁膧蔿虁訞詽讏豣趆跺躛輧郞鎮隸鹃黒鿃ꓐꓑꓒꓓꓔꓖ' ||
      E'ꓗꓙꓚꓛꓜꓝꓞꓟꓠꓡꓢꓣꓥꓦꓧꓪꓫꓬꓭꓮꓯꓰꓱꓲꓳꓴꓵꓷꙄꙅꙇꙍꙨꚕꚘꚙꚚꚡꚰꚱꛍꛎꛛꛟꛯꜰꜱꝀꝊꝋꝚꝡꝪꝫꝮꞕꞘꞙꞚꞛꞝꞞꞟꞫꞱꞲꞳꞴꞵꞶꞷꟷꦒꦣꧏ꩓꩖ꬲꬵꬽ' ||
      E'ꬾꬿꭇꭈꭍꭎꭒꭓꭕꭚꭠꭰꭱꭲꭴꭵꭺꭻꭼꭾꮀꮁꮃꮇꮋꮎꮐꮓꮛꮜꮟꮢꮩꮪꮮꮯꮲꮶꮻ𐊂𐊅𐊆𐊇𐊊𐊍𐊐𐊒𐊔𐊕𐊖𐊗𐊠𐊡𐊢𐊣𐊥𐊫𐊭𐊰𐊱𐊲𐊳𐊴𐊵𐊶𐊸𐋏𐋡𐋤𐋨𐋲𐋵𐌁𐌂𐌉𐌑𐌒𐌕𐌗𐌚' ||
      E'𐌠𐌢𐏑𐏓𐐁𐐄𐐑𐐕𐐛𐐟𐐠𐐣𐐥𐐩𐐪𐐬𐐽𐐿𐑂𐑃𐑈𐑋𐑍𐒠𐒰𐒴𐒼𐓂𐓃𐓄𐓍𐓎𐓐𐓑𐓒𐓘𐓛𐓪𐓫𐓶𐓹𐔓𐔖𐔘𐔜𐔝𐔥𐔦𐔧\U00010cfa\U00010cfc𑇜𑒒𑒔𑒖𑒘𑒙𑒛𑒝𑒞𑒟𑒠𑒡𑒢𑒣𑒧𑒨𑒩𑒪𑒫𑒭𑒮𑓄𑓅𑓐𑓑𑓒𑓖𑗘𑗙' ||
      E'𑗚𑗛𑜀𑜆𑜊𑜎𑜏𑢠𑢢𑢣𑢤𑢦𑢩𑢬𑢮𑢯𑢲𑢵𑢷𑢸𑢻𑢼𑣀𑣁𑣂𑣃𑣄𑣆𑣈𑣊𑣌𑣎𑣕𑣖𑣗𑣘𑣜𑣠𑣣𑣤𑣥𑣦𑣩𑣬𑣯𑣲𒀸𓋹𖼇𖼈𖼊𖼖𖼚𖼜𖼦𖼨𖼭𖼵𖼺𖼻𖼽𖽀𖽂𖽃\U0001e8c7\U0001e8c9\U0001e8cb' AS lookalikes,
      E'olllldooddhhlkllttbbbbddgffllklnnopr2ttyzz325sþlgg388zzctueejjryyabddǝꞓgggyhllll' ||
      E'lwmnnoœrrrsumyzȝbhlqՙⱶᴎᴎɔꜿjabezholkʌmnopʃtyxaßyẟꞓnolkvopootuɸςf2ƨjþþmɔꜿꞓsljabbye' ||
      E'3kʌmhoπpctyɸxba6breɜᴎkmhoπpctyɸxƅᴙꞓsljhwbbψψoovvᴎᴎbbyrжж3ɜkkkkhhccttyyyyxheeelʌл' ||
      E'hhhhҷҷmmlææǝǝ3ȝoodƕggꞓꞓqwwኮሆጣቡusɸowqqẟhȷnɰnugfolvlol\u0649o\u0649lovʌ\u0649\u06a1\u0631\u0641\u0643\u0643\u0644\u0649oo\u0629\u0648\u0648\u0648\u0649\u0649\u067b\u0649o\u062f\u0631' ||
      E'l\u0662\u0663\u0664o\u0666vʌ\u0669o\u0649\u06ac\u0754\u0646\u0633ol\u0754\u062f\u0635\u06af\u0648\u0632\u0631\u0649\u06a1\u06a1\u0649o\u0669o89o98ऽo२३४८oo9ஐஈoகஉசஎஅயడబవoఅఆఇఒజఞణయఱలo౧౨౯உஐoணരழஶॱ' ||
      E'ഞo9ජදขชฎคคฑฆภาoจยบปฝพฟoརoo၁ꞇyȝoー丨ᄀᄂᄃᄅᄆᄇᄉᄋᄌᄎᄏᄐᄑᄒᅀᅌᅙuɰɸnձodrtlⱶyajeⱶywmhyoƫghzwꞓu4' ||
      E'brwsvslcpkdo6ßhgbgbẟvʌunpdjyl2ᐡᐩxẟhxrbfⅎꟻɐaddwmbᒐᒉᓓᓚᕃᕆᕊʊωʊωxlᚽkmψᚼɸអᠵᡜᣵᦞᦱᩅᩅᬍᬑᬨac' ||
      E'deɜjkmoɔoptuvwzƨrʌπpлfmnrɾstzllpuʊgyɋfyɔɔhkyrẟꞓꞓhlkkλmnooπppcctyɸɸxχψωшш93ȝll6ϭϗ' ||
      E'oʌveǝoʃloqʘxẟᛯo亻工力夕卜二八へ口㘽㖈㬻ー併値啓口塡土墫媯帡㬺戶㩁䀿晚㫚䑃杮㮣榝溈研絕朌朐朏㬵朓朘胼朣蒍蘷䚶訮讆豜赿跥躗軿郎鎭隷鹂黑䀹bpddtg' ||
      E'kjcɔzfⅎmnlsrʌvhwxyᙠaɐeǝlounᗡ2ƨlωʘhꝏꝏ𐊨ᴎᚹⱶʡʌπv2fskoo2w3ȝ9ꜧff𐐺𐐺ʚꓤu3ꓕjxbßωωーⰿꦝ\u0662ꨁꨣefo' ||
      E'oɔrrʃuuχχyљdrtolajeɂⱶrwmhogzꞓuƅrvslcpkobẟeflʌxoᛜpstabcẟfoϙmtyɸxψωⵀh\u062f\u0648\u0637\u0635zbclmϙtx8' ||
      E'lx𐎂𐎓ꞓoꓶclɒsɔᴎꞓʚocɷɞlsɔᴎ𐒆ʌrӄoʘþhuᛦψ7ʌλoꙩuψnokcvflx\U00010ce5\U00010cc2ꣻঘচজঞটডলতথদধনপমযবণরষসঽwo১২৬𑖂𑖂' ||
      E'𑖃𑖄mvwwwvflyez9e4loᛜu5tvsflz7o39ꞓ69ouyom\u0669zwcxwc𐎚\U0001099eyvtlẟꙙꓶlꞓrs3ʌauyl\u06638' AS letters) l,
      LATERAL (SELECT translate(lower(translate(
        regexp_replace(normalize("name", NFKD),
          '[\u0001-\u0020\u007f-\u00a0\u00ad\u0300-\u036f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u200f\u2028-\u202f\u205f-\u206f\u20d0-\u20ff\u2800\u3000\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+', '', 'g'),
        l.lookalikes, l.letters)), l.lookalikes, l.letters) AS form) x
    );

-- Finds a live member by name among the actors of a tenant.
CREATE INDEX actors_tenant_id_folded_name_idx ON actors (tenant_id, folded_name(display_name))
    WHERE deleted_at IS NULL;

CREATE TABLE api_keys (
    key_hash bytea NOT NULL PRIMARY KEY,
    actor_id text NOT NULL REFERENCES actors ON DELETE CASCADE,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    limits jsonb,
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
    limits jsonb,
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

CREATE TABLE pictures (
    actor_id text NOT NULL PRIMARY KEY REFERENCES actors ON DELETE CASCADE,
    -- by hand: the limit, and no attempt to compress.
    bytes bytea NOT NULL CHECK (octet_length(bytes) <= 65536)
);
ALTER TABLE pictures ALTER bytes SET STORAGE EXTERNAL;

CREATE TABLE memberships (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE RESTRICT,
    actor_id text NOT NULL REFERENCES actors ON DELETE RESTRICT,
    left_as text,
    is_stopped boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, actor_id)
);

CREATE TABLE agent_codes (
    code_id text NOT NULL PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE RESTRICT,
    sponsor_id text NOT NULL,
    code_hash bytea NOT NULL,
    display_name text NOT NULL,
    agent_profile text,
    space_ids text[],
    key_limits jsonb,
    key_expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    redeemed_at timestamptz(3),
    agent_id text,
    installation_id text,
    key_hash bytea,
    created_with text[],
    FOREIGN KEY (tenant_id, sponsor_id) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, agent_id) REFERENCES memberships ON DELETE RESTRICT
);
CREATE UNIQUE INDEX agent_codes_code_hash_key ON agent_codes (code_hash);
CREATE INDEX ON agent_codes (sponsor_id, created_at);
CREATE INDEX ON agent_codes (tenant_id, expires_at);



-- Spaces

-- Every event updates its space's row. Free room on the page keeps the new version there, without index updates.
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
    revisions integer NOT NULL DEFAULT 0,
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

-- Returns whether an actor, or an agent of it, participates in a space. A function, so that a statement that need not
-- call it does not plan it: inlined, it would make a page of an open space a tenth slower.
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

CREATE TABLE blocks (
    tenant_id uuid NOT NULL,
    actor_id text NOT NULL,
    blocked_id text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, actor_id, blocked_id),
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, blocked_id) REFERENCES memberships ON DELETE RESTRICT
);

-- The preferences of an actor for a space. Without a row: not pinned, and notified of mentions.
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
    FOREIGN KEY (tenant_id, default_space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, created_by) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, redeemed_by) REFERENCES memberships ON DELETE RESTRICT
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
    nonce bytea NOT NULL CHECK (octet_length(nonce) IN (0, 16)),
    PRIMARY KEY (tenant_id, space_id, position),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, posted_by) REFERENCES memberships ON DELETE RESTRICT
);
-- Without statistics, PostgreSQL takes the newest of the indexes that could serve: those that find single events come last.
CREATE INDEX ON events (tenant_id, space_id, occurred_at, position, speaker_id);
-- Most events are in no thread.
CREATE INDEX ON events (tenant_id, space_id, thread_id, position) WHERE thread_id IS NOT NULL;
CREATE UNIQUE INDEX events_tenant_id_space_id_event_id_key ON events (tenant_id, space_id, event_id);
-- Most events have no idempotency key.
CREATE UNIQUE INDEX events_tenant_id_space_id_posted_by_idempotency_key_key
    ON events (tenant_id, space_id, posted_by, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE threads (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    thread_id uuid NOT NULL,
    parent_event_id uuid,
    subject text NOT NULL,
    posted_by text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    decision_id uuid,
    PRIMARY KEY (tenant_id, space_id, thread_id),
    CHECK (num_nonnulls(parent_event_id, decision_id) = 1),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, posted_by) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id, parent_event_id) REFERENCES events (tenant_id, space_id, event_id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX threads_tenant_id_space_id_parent_event_id_key ON threads (tenant_id, space_id, parent_event_id);
CREATE UNIQUE INDEX threads_tenant_id_space_id_decision_id_key ON threads (tenant_id, space_id, decision_id)
    WHERE decision_id IS NOT NULL;
ALTER TABLE events ADD FOREIGN KEY (tenant_id, space_id, thread_id) REFERENCES threads ON DELETE RESTRICT;

-- A text is superseded once, so that of two revisions written at once, the second fails and is judged again.
CREATE TABLE revisions (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    position bigint NOT NULL,
    revises bigint NOT NULL,
    supersedes bigint NOT NULL,
    is_retraction boolean NOT NULL,
    PRIMARY KEY (tenant_id, space_id, supersedes),
    FOREIGN KEY (tenant_id, space_id, position) REFERENCES events ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id, revises) REFERENCES events ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id, supersedes) REFERENCES events ON DELETE RESTRICT
);
CREATE UNIQUE INDEX revisions_tenant_id_space_id_position_key ON revisions (tenant_id, space_id, position);
CREATE UNIQUE INDEX revisions_tenant_id_space_id_revises_position_key ON revisions (tenant_id, space_id, revises, position);

-- Returns the index keys of terms. Each term has a different key in each stretch of 32,768 positions of a space. So a
-- search reads only the entries of its own spaces, and a search for the newest matches of a common word does not read
-- all of them. Keys may collide, so matches are checked again.
CREATE FUNCTION search_keys("tenant_id" UUID, "space_id" TEXT, "stretch" BIGINT, "terms" TEXT[]) RETURNS BIGINT[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT hashtextextended("term", hashtextextended("space_id", uuid_hash_extended("tenant_id", "stretch")))
                 FROM unnest("terms") AS "term");

-- The pending list of the index is large, since the service merges it every second. Otherwise a writer would have to
-- merge it.
CREATE INDEX events_search_keys_idx ON events
    USING gin (search_keys(tenant_id, space_id, position / 32768, tsvector_to_array(terms)))
    WITH (gin_pending_list_limit = 16384) WHERE terms IS NOT NULL;

-- Merges the pending list of the search index, and gathers the statistics of tables that are ten times what they were. Until
-- autovacuum does so, which looks once a minute, a plan may read a whole space to find one event. Only the owner may do
-- either. The service role owns nothing, so it calls this function. No other role that can connect needs it.
CREATE FUNCTION tend_tables() RETURNS void
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    grown regclass;
BEGIN
    PERFORM gin_clean_pending_list(to_regclass('events_search_keys_idx'));
    FOR grown IN
        SELECT oid FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
            AND pg_stat_get_mod_since_analyze(oid) > 1000 + 9 * greatest(reltuples, 0)
    LOOP
        EXECUTE format('ANALYZE (SKIP_LOCKED) %s', grown);
    END LOOP;
END $$;

REVOKE ALL ON FUNCTION tend_tables() FROM PUBLIC;


-- Files

-- The bytes of a content have no foreign key to its row, which is written when all of them are stored: what an interrupted
-- upload leaves has none. They hardly compress, so PostgreSQL does not try.
CREATE TABLE file_chunks (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE RESTRICT,
    content_id uuid NOT NULL,
    index integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (tenant_id, content_id, index)
);
ALTER TABLE file_chunks ALTER bytes SET STORAGE EXTERNAL;

CREATE TABLE file_contents (
    tenant_id uuid NOT NULL REFERENCES tenants ON DELETE RESTRICT,
    content_id uuid NOT NULL,
    sha256 bytea NOT NULL,
    size bigint NOT NULL,
    image_type text,
    PRIMARY KEY (tenant_id, content_id)
);
CREATE UNIQUE INDEX file_contents_tenant_id_sha256_key ON file_contents (tenant_id, sha256);
-- Objects of a bucket have no tenant.
CREATE INDEX ON file_contents (content_id);

CREATE TABLE files (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    file_id text NOT NULL,
    name text NOT NULL,
    content_type text NOT NULL,
    size bigint NOT NULL,
    sha256 bytea,
    content_id uuid,
    uploaded_by text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    event_id uuid,
    idempotency_key text,
    position bigint,
    passages text[],
    terms tsvector,
    PRIMARY KEY (tenant_id, space_id, file_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, uploaded_by) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, content_id) REFERENCES file_contents ON DELETE RESTRICT
);
CREATE INDEX ON files (tenant_id, space_id, created_at, file_id);
CREATE INDEX ON files (tenant_id, content_id);
-- Most files are not deleted.
CREATE INDEX ON files (tenant_id, space_id) WHERE deleted_at IS NOT NULL;
-- Most files belong to an event.
CREATE INDEX ON files (created_at) WHERE event_id IS NULL;
CREATE INDEX ON files (tenant_id, space_id, event_id) WHERE event_id IS NOT NULL;
-- Most uploads have no idempotency key.
CREATE UNIQUE INDEX files_tenant_id_space_id_uploaded_by_idempotency_key_key
    ON files (tenant_id, space_id, uploaded_by, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ON files (tenant_id, space_id, position) WHERE position IS NOT NULL;
-- The files that are not indexed for the search yet.
CREATE INDEX ON files (tenant_id, space_id, file_id) WHERE event_id IS NOT NULL AND content_id IS NOT NULL AND position IS NULL;
-- Like that of events, but written in the background, so without a pending list.
CREATE INDEX files_search_keys_idx ON files
    USING gin (search_keys(tenant_id, space_id, position / 32768, tsvector_to_array(terms)))
    WITH (fastupdate = off) WHERE terms IS NOT NULL;


-- The recipients of events

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
    is_direct boolean NOT NULL,
    PRIMARY KEY (tenant_id, space_id, actor_id, position),
    FOREIGN KEY (tenant_id, space_id, position) REFERENCES events ON DELETE RESTRICT
);

-- Free room for new versions of a row, which changes with every event for its actor.
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
    done_through bigint NOT NULL,
    delivered_through bigint NOT NULL DEFAULT 0,
    delivered_from bigint NOT NULL DEFAULT 0,
    delivered_at timestamptz(3),
    read_through bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, actor_id, space_id),
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT
) WITH (fillfactor = 70);

CREATE TABLE snoozes (
    tenant_id uuid NOT NULL,
    actor_id text NOT NULL,
    space_id text NOT NULL,
    position bigint NOT NULL,
    until timestamptz(3),
    head bigint,
    PRIMARY KEY (tenant_id, actor_id, space_id, position),
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT
) WITH (fillfactor = 70);

CREATE TABLE reactions (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    position bigint NOT NULL,
    emoji text NOT NULL,
    actor_id text NOT NULL,
    reacted_at timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, space_id, position, emoji, actor_id),
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT
);

CREATE INDEX reactions_tenant_id_actor_id_idx ON reactions (tenant_id, actor_id);

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
    source_id text NOT NULL,
    earlier integer NOT NULL DEFAULT 0,
    space_id text,
    details jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    seen_at timestamptz(3),
    snoozed_until timestamptz(3),
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
    approvals_not_counted jsonb,
    rules_at_proposal jsonb NOT NULL,
    options jsonb,
    option text,
    action text,
    edit text,
    digest text,
    expires_at timestamptz(3),
    expiry_told_at timestamptz(3),
    used_by text,
    used_at timestamptz(3),
    use_key text,
    PRIMARY KEY (tenant_id, space_id, decision_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, posted_by) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, settled_by) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, used_by) REFERENCES memberships ON DELETE RESTRICT
);
CREATE INDEX ON decisions (tenant_id, space_id, created_at);
CREATE INDEX ON decisions (tenant_id, space_id, status, decision_id);
CREATE UNIQUE INDEX decisions_tenant_id_space_id_posted_by_idempotency_key_key
    ON decisions (tenant_id, space_id, posted_by, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX decisions_tenant_id_space_id_used_by_use_key_key
    ON decisions (tenant_id, space_id, used_by, use_key) WHERE use_key IS NOT NULL;
CREATE INDEX ON decisions USING gin (assignees);
-- Most decisions need no review, or their notice was raised.
CREATE INDEX ON decisions (review_at) WHERE review_at IS NOT NULL AND review_told_at IS NULL;
-- Most decisions do not expire, or their notice was raised.
CREATE INDEX ON decisions (expires_at) WHERE expires_at IS NOT NULL AND expiry_told_at IS NULL;

CREATE TABLE decision_acts (
    tenant_id uuid NOT NULL,
    space_id text NOT NULL,
    position bigint NOT NULL,
    decision_id uuid,
    actor_id text,
    wire text NOT NULL,
    nonce bytea NOT NULL CHECK (octet_length(nonce) IN (0, 16)),
    PRIMARY KEY (tenant_id, space_id, position),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id, decision_id) REFERENCES decisions ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT
);
CREATE INDEX ON decision_acts (tenant_id, space_id, decision_id, position);


-- Work claims

-- One row per subject that was ever claimed, as its fencing token never restarts. Progress reports change a row, but no
-- index.
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
    -- A webhook has exactly one subject.
    CONSTRAINT webhooks_target_check CHECK (num_nonnulls(space_id, inbox_of) = 1)
);
CREATE INDEX ON webhooks (tenant_id, owner_id, created_at);
CREATE INDEX ON webhooks (tenant_id, inbox_of);
CREATE INDEX ON webhooks (tenant_id, space_id);
CREATE INDEX ON webhooks (tenant_id, created_at);

-- Each delivery updates the rows of the next two tables a few times, mostly in columns without an index.
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

CREATE TABLE incoming_webhooks (
    tenant_id uuid NOT NULL,
    agent_id text NOT NULL,
    space_id text NOT NULL,
    format text NOT NULL,
    template text,
    people jsonb NOT NULL DEFAULT '{}',
    generation integer NOT NULL DEFAULT 1,
    rotated_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    disabled_at timestamptz(3),
    deliveries jsonb NOT NULL DEFAULT '[]',
    PRIMARY KEY (tenant_id, agent_id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES memberships ON DELETE RESTRICT,
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces ON DELETE RESTRICT
) WITH (fillfactor = 50);
CREATE INDEX ON incoming_webhooks (agent_id);
CREATE INDEX ON incoming_webhooks (tenant_id, space_id, created_at);


CREATE TABLE notification_settings (
    tenant_id uuid NOT NULL,
    actor_id text NOT NULL,
    delay_minutes smallint NOT NULL,
    push_delay_minutes smallint NOT NULL DEFAULT 0,
    quiet_from text,
    quiet_until text,
    time_zone text NOT NULL,
    notices text NOT NULL DEFAULT 'mentions',
    shows_presence boolean NOT NULL DEFAULT true,
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
    created_at timestamptz(3) NOT NULL,
    created_with text[] NOT NULL DEFAULT '{}',
    told jsonb NOT NULL DEFAULT '{}',
    told_notices uuid[] NOT NULL DEFAULT '{}',
    told_at timestamptz(3),
    alerted_at timestamptz(3),
    returned_through timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    batch jsonb,
    failures integer NOT NULL DEFAULT 0,
    due_at timestamptz(6) NOT NULL,
    lease_id uuid,
    PRIMARY KEY (tenant_id, channel_id),
    FOREIGN KEY (tenant_id, actor_id) REFERENCES memberships ON DELETE RESTRICT
) WITH (fillfactor = 70);
CREATE INDEX ON notification_channels (tenant_id, actor_id);
CREATE INDEX ON notification_channels (due_at);


-- The security log, and erasures by the operator

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

-- The service only adds to the security log. An empty table may be truncated, as a restore does.
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
    act_hashes jsonb,
    event_hashes jsonb,
    noun text,
    subject_id text
);
CREATE INDEX ON erasures (started_at, erasure_id);
CREATE UNIQUE INDEX erasures_tenant_id_space_id_event_id_key ON erasures (tenant_id, space_id, event_id);


-- Merkle trees over histories

-- Sealing updates a row every second, in columns without an index.
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

-- Returns the canonical bytes of an entry of the security log, which are hashed and exported.
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

-- Rejects changes to the data of a tenant that is not active here: one that is being imported, moved, moved away or
-- deleted. Only an import, restore or deletion may change it, by a setting of its session. A move changes the status of
-- the tenant, and then waits for all earlier transactions. So nothing is written afterwards, not even by a server that
-- was frozen during a request. Frequent writes have no trigger, since their statements check the status themselves:
-- appends, counts, and uses of credentials.
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
    -- The tenant's own row is checked in its previous version.
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
        ('tenant_quotas', 'INSERT OR DELETE OR UPDATE OF events_per_day, spaces, agents, tokens, bytes, file_bytes, agents_per_human, tokens_per_human', ''),
        ('actors', 'INSERT OR DELETE OR UPDATE OF tenant_id, actor_type, display_name, email, agent_profile, title, time_zone, picture, metadata, sponsor_id, default_space_id, created_at, deleted_at, installation_id, connected_at, agent_adapter, is_admin, disabled_at, stop_reason, stopped_at, stopped_by, created_with, disabled_by', ''),
        ('api_keys', 'INSERT OR DELETE OR UPDATE OF key_hash, limits, expires_at, revoked_at, created_at', '''of actor'''),
        ('personal_access_tokens', 'INSERT OR DELETE OR UPDATE OF name, token_hash, limits, expires_at, revoked_at', '''of actor'''),
        ('identities', 'INSERT OR DELETE OR UPDATE OF email', '''of actor'''),
        ('passkeys', 'INSERT OR DELETE', '''of actor'''),
        ('pictures', 'INSERT OR UPDATE OR DELETE', '''of actor'''),
        ('agent_codes', 'INSERT OR UPDATE OR DELETE', ''),
        ('memberships', 'INSERT OR UPDATE OR DELETE', ''),
        ('spaces', 'INSERT OR DELETE OR UPDATE OF description, status, links, started_at, ended_at, redactions, guard_total, guard_per_agent', ''),
        ('space_owners', 'INSERT OR UPDATE OR DELETE', ''),
        ('space_policies', 'INSERT OR UPDATE OR DELETE', ''),
        ('participants', 'INSERT OR UPDATE OR DELETE', ''),
        ('space_preferences', 'INSERT OR UPDATE OR DELETE', ''),
        ('blocks', 'INSERT OR UPDATE OR DELETE', ''),
        ('invites', 'INSERT OR UPDATE OR DELETE', ''),
        ('links', 'INSERT OR UPDATE OR DELETE', ''),
        ('summaries', 'INSERT OR UPDATE OR DELETE', ''),
        ('events', 'UPDATE OR DELETE', ''),
        ('threads', 'INSERT OR UPDATE OR DELETE', ''),
        ('revisions', 'UPDATE OR DELETE', ''),
        ('file_chunks', 'INSERT OR UPDATE OR DELETE', ''),
        ('file_contents', 'INSERT OR UPDATE OR DELETE', ''),
        ('files', 'INSERT OR UPDATE OR DELETE', ''),
        ('mentions', 'UPDATE OR DELETE', ''),
        ('attention', 'UPDATE OR DELETE', ''),
        ('attention_heads', 'DELETE', ''),
        ('read_cursors', 'INSERT OR UPDATE OR DELETE', ''),
        ('done_marks', 'INSERT OR UPDATE OR DELETE', ''),
        ('snoozes', 'INSERT OR UPDATE OR DELETE', ''),
        ('reactions', 'INSERT OR UPDATE OR DELETE', ''),
        ('notices', 'INSERT OR UPDATE OR DELETE', ''),
        ('decisions', 'INSERT OR UPDATE OR DELETE', ''),
        ('decision_acts', 'INSERT OR UPDATE OR DELETE', ''),
        ('work_claims', 'INSERT OR UPDATE OR DELETE', ''),
        ('webhooks', 'INSERT OR UPDATE OR DELETE', ''),
        ('webhook_cursors', 'INSERT OR UPDATE OR DELETE', ''),
        ('webhook_attempts', 'INSERT OR UPDATE OR DELETE', ''),
        ('incoming_webhooks', 'INSERT OR UPDATE OR DELETE', ''),
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

-- Only a move may change the row of a tenant.
CREATE TRIGGER tenants_here AFTER UPDATE OR DELETE ON tenants FOR EACH ROW
    WHEN (OLD.status NOT IN ('active', 'suspended') AND current_setting('spaces.carries_tenants', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION refuse_unless_here();


-- Founding a tenant

-- by hand: Moves spaces with all their data into a tenant that this transaction has founded. The service role may not
-- change events, so it calls this function, which changes only the tenant of a row: foreign keys reject a space that
-- refers to an actor without a membership there. It is one statement, as rows refer to each other; references are
-- checked at its end. The caller has locked the spaces and both tenants.
CREATE FUNCTION move_spaces("from_tenant" UUID, "to_tenant" UUID, "moved_spaces" TEXT[], "moved_actors" TEXT[]) RETURNS VOID
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    moved_webhooks TEXT[];
BEGIN
    IF NOT EXISTS (SELECT FROM tenants WHERE tenant_id = to_tenant AND xmin = pg_current_xact_id()::xid) THEN
        RAISE EXCEPTION 'spaces move only into a tenant that is founded in the same transaction'
            USING ERRCODE = 'restrict_violation';
    END IF;
    -- Without statistics, the planner expects few rows in a space. The check of a foreign key would then read all
    -- events of the space for each event.
    IF NOT EXISTS (SELECT FROM pg_stats WHERE schemaname = current_schema() AND tablename = 'events') THEN
        ANALYZE events (tenant_id, space_id, position, event_id);
    END IF;
    -- Both tenants are active, and stay so: the caller has locked them.
    PERFORM set_config('spaces.carries_tenants', 'on', true);
    -- The webhooks of the spaces and of the actors' inboxes. Their secrets depend on the tenant, so they stay disabled
    -- until their owners have given the receivers the new secrets.
    SELECT coalesce(array_agg(webhook_id), '{}') INTO moved_webhooks FROM webhooks
        WHERE tenant_id = from_tenant
            AND (space_id = ANY (moved_spaces) OR inbox_of = ANY (moved_actors) AND owner_id = ANY (moved_actors));
    DELETE FROM webhook_cursors
        WHERE tenant_id = from_tenant AND (webhook_id = ANY (moved_webhooks)) <> (space_id = ANY (moved_spaces))
            AND (webhook_id = ANY (moved_webhooks) OR space_id = ANY (moved_spaces));
    -- A content may be of files that stay, so it is copied.
    INSERT INTO file_contents (tenant_id, content_id, sha256, size, image_type)
        SELECT to_tenant, content_id, sha256, size, image_type FROM file_contents
        WHERE tenant_id = from_tenant AND content_id IN (
            SELECT content_id FROM files WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces));
    INSERT INTO file_chunks (tenant_id, content_id, index, bytes)
        SELECT to_tenant, content_id, index, bytes FROM file_chunks JOIN file_contents c USING (content_id)
        WHERE file_chunks.tenant_id = from_tenant AND c.tenant_id = to_tenant;
    WITH m1 AS (UPDATE spaces SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m2 AS (UPDATE space_owners SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m3 AS (UPDATE space_policies SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m4 AS (UPDATE space_preferences SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m5 AS (UPDATE participants SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m6 AS (UPDATE links SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m7 AS (UPDATE summaries SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m8 AS (UPDATE events SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m9 AS (UPDATE threads SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m10 AS (UPDATE mentions SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m11 AS (UPDATE attention SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m12 AS (UPDATE attention_heads SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m13 AS (UPDATE read_cursors SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m14 AS (UPDATE done_marks SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m15 AS (UPDATE notices SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m16 AS (UPDATE decisions SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m17 AS (UPDATE decision_acts SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m18 AS (UPDATE work_claims SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m19 AS (UPDATE webhooks SET tenant_id = to_tenant,
                reach = ARRAY(SELECT unnest(reach) INTERSECT SELECT unnest(moved_spaces)),
                disabled_reason = CASE WHEN disabled_at IS NULL THEN 'disabled' ELSE disabled_reason END,
                disabled_at = coalesce(disabled_at, date_trunc('milliseconds', clock_timestamp()))
            WHERE tenant_id = from_tenant AND webhook_id = ANY (moved_webhooks)),
        m20 AS (UPDATE webhook_cursors SET tenant_id = to_tenant, lease_id = NULL, leased_until = NULL
            WHERE tenant_id = from_tenant AND webhook_id = ANY (moved_webhooks)),
        m21 AS (UPDATE webhook_attempts SET tenant_id = to_tenant,
                space_id = CASE WHEN space_id = ANY (moved_spaces) THEN space_id END
            WHERE tenant_id = from_tenant AND webhook_id = ANY (moved_webhooks)),
        m22 AS (UPDATE incoming_webhooks SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m23 AS (UPDATE erasures SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m24 AS (UPDATE log_trees SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m25 AS (UPDATE revisions SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m26 AS (UPDATE files SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m27 AS (UPDATE snoozes SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces)),
        m28 AS (UPDATE reactions SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces))
    UPDATE log_tiles SET tenant_id = to_tenant WHERE tenant_id = from_tenant AND space_id = ANY (moved_spaces);
    WITH left_behind AS (
        DELETE FROM file_contents c WHERE tenant_id = from_tenant
            AND EXISTS (SELECT FROM file_contents m WHERE m.tenant_id = to_tenant AND m.content_id = c.content_id)
            AND NOT EXISTS (SELECT FROM files f WHERE f.tenant_id = from_tenant AND f.content_id = c.content_id)
        RETURNING content_id
    )
    DELETE FROM file_chunks WHERE tenant_id = from_tenant AND content_id IN (SELECT content_id FROM left_behind);
    PERFORM set_config('spaces.carries_tenants', 'off', true);
END $$;

REVOKE ALL ON FUNCTION move_spaces(UUID, UUID, TEXT[], TEXT[]) FROM PUBLIC;


-- Data that servers share

CREATE TABLE rate_counts (
    key text NOT NULL,
    ends_at timestamptz(3) NOT NULL,
    count integer NOT NULL,
    PRIMARY KEY (key, ends_at)
);
CREATE INDEX ON rate_counts (ends_at);

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

-- Unlogged, as it is renewed all the time and worth minutes.
CREATE UNLOGGED TABLE presences (
    actor_id text NOT NULL,
    view text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (actor_id, view)
);

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


-- Statistics

-- by hand: PostgreSQL keeps samples of columns for its planner, and with them texts that have been erased since. It keeps
-- none of what people write, as the catalogue in packages/operator/src/erasure lists it.
DO $$
DECLARE
    written RECORD;
BEGIN
    FOR written IN SELECT w.of_table, unnest(string_to_array(w.columns, ', ')) AS of_column FROM (VALUES
        ('actors', 'email, agent_profile, title, time_zone, picture, metadata, installation_id, agent_adapter, stop_reason'),
        ('agent_codes', 'agent_profile, installation_id'),
        ('decision_acts', 'wire, nonce'),
        ('decisions', 'text, resolution, proposed_by, resolved_by, request_hash, options, option, action, edit, digest'),
        ('device_codes', 'name, address'),
        ('done_marks', 'reason'),
        ('events', 'wire, terms, speaker_id, request_hash, nonce'),
        ('file_chunks', 'bytes'),
        ('file_contents', 'sha256'),
        ('files', 'name, content_type, sha256, passages, terms'),
        ('identities', 'issuer, subject, email'),
        ('invites', 'email'),
        ('limit_counts', 'key'),
        ('links', 'target_uri, target_key, link_type, attributes'),
        ('mentions', 'participant_id'),
        ('notices', 'subject, details'),
        ('notification_channels', 'address, name, push_keys'),
        ('oauth_records', 'payload'),
        ('participants', 'agent_adapter'),
        ('passkeys', 'name, credential_id, public_key'),
        ('personal_access_tokens', 'name'),
        ('pictures', 'bytes'),
        ('presences', 'view'),
        ('rate_counts', 'key'),
        ('reactions', 'emoji'),
        ('spaces', 'title, description, links'),
        ('summaries', 'text, source_hash'),
        ('tenants', 'webhook_hosts'),
        ('threads', 'subject'),
        ('webhook_attempts', 'error'),
        ('incoming_webhooks', 'template, people, deliveries'),
        ('webhooks', 'url'),
        ('work_claims', 'note, progress, subject')
    ) AS w(of_table, columns)
    LOOP
        EXECUTE format('ALTER TABLE %I ALTER %I SET STATISTICS 0', written.of_table, written.of_column);
    END LOOP;
END $$;

-- Nor of the hashes of words.
ALTER INDEX events_search_keys_idx ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX files_search_keys_idx ALTER COLUMN 1 SET STATISTICS 0;
