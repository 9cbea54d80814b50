-- CreateTable
CREATE TABLE "server_keys" (
    "only" BOOLEAN NOT NULL DEFAULT true,
    "fingerprint" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "server_keys_pkey" PRIMARY KEY ("only"),
    CONSTRAINT "server_keys_only_check" CHECK ("only")
);
