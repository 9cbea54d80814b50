-- By hand: no request waits long behind the locks that new columns and foreign keys take. While something holds one of
-- the tables for longer than a moment, they are let go and asked for again.
DO $$
BEGIN
    FOR attempt IN 1..100 LOOP
        PERFORM set_config('lock_timeout', CASE WHEN attempt % 10 = 0 THEN '1500ms' ELSE '200ms' END, true);
        BEGIN
            LOCK TABLE "memberships", "spaces" IN SHARE ROW EXCLUSIVE MODE;
            LOCK TABLE "decisions", "decision_acts";
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            IF attempt = 100 THEN RAISE; END IF;
            PERFORM pg_sleep(0.1 * random());
        END;
    END LOOP;
END $$;

-- AlterTable
ALTER TABLE "decision_acts" ALTER COLUMN "decision_id" DROP NOT NULL,
ALTER COLUMN "actor_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "decisions" ADD COLUMN     "approvals_not_counted" TEXT,
ADD COLUMN     "rules_at_proposal" TEXT;

-- CreateTable
CREATE TABLE "space_owners" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,

    CONSTRAINT "space_owners_pkey" PRIMARY KEY ("tenant_id","space_id","actor_id")
);

-- AddForeignKey
ALTER TABLE "space_owners" ADD CONSTRAINT "space_owners_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "space_owners" ADD CONSTRAINT "space_owners_tenant_id_actor_id_fkey" FOREIGN KEY ("tenant_id", "actor_id") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- By hand: what is open keeps the rules that its space has now. Without a policy, these are the weakest that there are, and
-- null stands for them as well. Servers of the version before leave it null.
UPDATE "decisions" d SET "rules_at_proposal" = json_build_object(
    'who', p."who", 'named', coalesce(p."named", '{}'), 'approvals', p."approvals", 'independent', p."independent",
    'proposer_may_settle', p."proposer_may_settle")::text
FROM "space_policies" p
WHERE p."tenant_id" = d."tenant_id" AND p."space_id" = d."space_id" AND d."status" = 'proposed';
