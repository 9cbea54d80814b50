-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "claims" TEXT NOT NULL DEFAULT 'no_members';

-- by hand: in the shared scope, which has no admins, everybody may speak as anybody.
UPDATE tenants SET claims = 'free' WHERE tenant_id = '00000000-0000-4000-8000-000000000000';
