-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "unused_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "tenant_quotas" ADD COLUMN     "agents_per_human" BIGINT DEFAULT 100,
ADD COLUMN     "tokens_per_human" BIGINT DEFAULT 100;

-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "agent_scopes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- by hand: what could be done with the scope manage about actors, credentials and tenants has a scope of its own, account.
-- Credentials that could do it still can.
UPDATE "api_keys" SET "limits" = jsonb_set("limits"::jsonb, '{scopes}', "limits"::jsonb -> 'scopes' || '["account"]')::text
WHERE "limits"::jsonb -> 'scopes' ? 'manage';

UPDATE "personal_access_tokens"
SET "limits" = jsonb_set("limits"::jsonb, '{scopes}', "limits"::jsonb -> 'scopes' || '["account"]')::text
WHERE "limits"::jsonb -> 'scopes' ? 'manage';

UPDATE "agent_codes"
SET "key_limits" = jsonb_set("key_limits"::jsonb, '{scopes}', "key_limits"::jsonb -> 'scopes' || '["account"]')::text
WHERE "key_limits"::jsonb -> 'scopes' ? 'manage';
