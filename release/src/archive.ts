import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/**
 * Packs a directory under its name, compressed. The same files give the same bytes in every build: they are sorted by
 * name, with one timestamp and no owner.
 */
export async function pack(directory: string, file: string, seconds: number): Promise<void> {
  await archive(dirname(directory), [basename(directory)], seconds, (tar) =>
    pipeline(tar, createGzip(), createWriteStream(file)),
  )
}

/** Packs the content of a directory in the same way, at the top of the archive. */
export async function packContents(directory: string, file: string, seconds: number): Promise<void> {
  await archive(directory, readdirSync(directory).sort(), seconds, (tar) => pipeline(tar, createWriteStream(file)))
}

async function archive(
  directory: string,
  names: readonly string[],
  seconds: number,
  write: (tar: Readable) => Promise<void>,
): Promise<void> {
  const alike = [
    ...['--format=ustar', '--sort=name', `--mtime=@${seconds}`],
    ...['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go-w,a+rX'],
  ]
  const tar = spawn('tar', ['--create', ...alike, '--directory', directory, ...names], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(tar, 'close')
  await write(tar.stdout)
  const [code] = await closed
  if (code !== 0) throw new Error(`tar ended with code ${code}: it has to be GNU tar`)
}
