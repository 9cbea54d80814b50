-- AlterTable
ALTER TABLE "erasures" ADD COLUMN     "act_hashes" TEXT,
ADD COLUMN     "noun" TEXT,
ADD COLUMN     "subject_id" TEXT;

-- CreateIndex
CREATE INDEX "audit_entries_tenant_id_action_created_at_entry_id_idx" ON "audit_entries"("tenant_id", "action", "created_at", "entry_id");

-- CreateIndex
CREATE INDEX "audit_entries_tenant_id_actor_id_created_at_entry_id_idx" ON "audit_entries"("tenant_id", "actor_id", "created_at", "entry_id");

-- CreateIndex
CREATE INDEX "audit_entries_tenant_id_subject_id_created_at_entry_id_idx" ON "audit_entries"("tenant_id", "subject_id", "created_at", "entry_id");
