-- By hand: no request waits long behind the lock that a new column takes. While something reads actors for longer than a
-- moment, the lock is let go and asked for again.
DO $$
BEGIN
    FOR attempt IN 1..100 LOOP
        PERFORM set_config('lock_timeout', CASE WHEN attempt % 10 = 0 THEN '1500ms' ELSE '200ms' END, true);
        BEGIN
            LOCK TABLE "actors";
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            IF attempt = 100 THEN RAISE; END IF;
            PERFORM pg_sleep(0.1 * random());
        END;
    END LOOP;
END $$;

-- AlterTable
ALTER TABLE "actors" ADD COLUMN     "disabled_at" TIMESTAMPTZ(3);
