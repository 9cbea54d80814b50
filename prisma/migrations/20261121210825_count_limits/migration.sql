-- CreateTable
-- By hand: unlogged, as it is written every second and not worth a write to the disk.
CREATE UNLOGGED TABLE "limit_counts" (
    "key" TEXT NOT NULL,
    "server_id" UUID NOT NULL,
    "count" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "limit_counts_pkey" PRIMARY KEY ("key","server_id")
);

-- CreateIndex
CREATE INDEX "limit_counts_expires_at_idx" ON "limit_counts"("expires_at");
