-- By hand: no request waits long behind the locks that new columns and foreign keys take. While something holds one of
-- the tables for longer than a moment, they are let go and asked for again.
DO $$
BEGIN
    FOR attempt IN 1..100 LOOP
        PERFORM set_config('lock_timeout', CASE WHEN attempt % 10 = 0 THEN '1500ms' ELSE '200ms' END, true);
        BEGIN
            LOCK TABLE "memberships" IN SHARE ROW EXCLUSIVE MODE;
            LOCK TABLE "spaces", "decisions";
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            IF attempt = 100 THEN RAISE; END IF;
            PERFORM pg_sleep(0.1 * random());
        END;
    END LOOP;
END $$;

-- AlterTable
ALTER TABLE "decisions" ADD COLUMN     "approved_by" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "assignees" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "given_approvals" SMALLINT,
ADD COLUMN     "independent_approvals" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN     "required_approvals" SMALLINT,
ADD COLUMN     "review_at" TIMESTAMPTZ(3),
ADD COLUMN     "review_told_at" TIMESTAMPTZ(3),
ADD COLUMN     "superseded_by" UUID,
ADD COLUMN     "supersedes" UUID;

-- AlterTable
ALTER TABLE "spaces" ADD COLUMN     "agent_runs" JSONB,
ADD COLUMN     "guard_per_agent" SMALLINT,
ADD COLUMN     "guard_total" SMALLINT;

-- CreateTable
CREATE TABLE "space_policies" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "who" TEXT NOT NULL,
    "named" TEXT[],
    "approvals" SMALLINT NOT NULL,
    "independent" BOOLEAN NOT NULL,
    "proposer_may_settle" BOOLEAN NOT NULL,
    "changed_by" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "space_policies_pkey" PRIMARY KEY ("tenant_id","space_id")
);

-- CreateTable
CREATE TABLE "decision_acts" (
    "tenant_id" UUID NOT NULL,
    "space_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "decision_id" UUID NOT NULL,
    "actor_id" TEXT NOT NULL,
    "wire" TEXT NOT NULL,

    CONSTRAINT "decision_acts_pkey" PRIMARY KEY ("tenant_id","space_id","position")
);

-- CreateIndex
CREATE INDEX "decisions_assignees_idx" ON "decisions" USING GIN ("assignees");

-- CreateIndex: by hand, partial; most decisions need no review, or nobody has to be told of it any more
CREATE INDEX "decisions_review_at_idx" ON "decisions"("review_at") WHERE "review_at" IS NOT NULL AND "review_told_at" IS NULL;

-- CreateIndex
CREATE INDEX "decision_acts_tenant_id_space_id_decision_id_position_idx" ON "decision_acts"("tenant_id", "space_id", "decision_id", "position");

-- AddForeignKey
ALTER TABLE "space_policies" ADD CONSTRAINT "space_policies_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "space_policies" ADD CONSTRAINT "space_policies_tenant_id_changed_by_fkey" FOREIGN KEY ("tenant_id", "changed_by") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "decision_acts" ADD CONSTRAINT "decision_acts_tenant_id_space_id_fkey" FOREIGN KEY ("tenant_id", "space_id") REFERENCES "spaces"("tenant_id", "space_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "decision_acts" ADD CONSTRAINT "decision_acts_tenant_id_space_id_decision_id_fkey" FOREIGN KEY ("tenant_id", "space_id", "decision_id") REFERENCES "decisions"("tenant_id", "space_id", "decision_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "decision_acts" ADD CONSTRAINT "decision_acts_tenant_id_actor_id_fkey" FOREIGN KEY ("tenant_id", "actor_id") REFERENCES "memberships"("tenant_id", "actor_id") ON DELETE RESTRICT ON UPDATE NO ACTION;
