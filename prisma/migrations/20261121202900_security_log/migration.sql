-- CreateTable
CREATE TABLE "audit_entries" (
    "entry_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "tenant_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "actor_id" TEXT,
    "credential_id" TEXT,
    "address" TEXT,
    "subject_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("entry_id")
);

-- CreateIndex
CREATE INDEX "audit_entries_tenant_id_created_at_entry_id_idx" ON "audit_entries"("tenant_id", "created_at", "entry_id");

-- CreateIndex
CREATE INDEX "audit_entries_created_at_entry_id_idx" ON "audit_entries"("created_at", "entry_id");

-- By hand: the service only ever adds to the security log. A table without rows may be emptied, as a restore does.
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

CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entries"
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
