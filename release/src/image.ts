import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packContents } from './archive.js'
import { inCheckout, run } from './checkout.js'
import { PLATFORMS } from './postgresql.js'

/** Options for the image of a release. */
export interface ImageOptions {
  /** The directory of the tarballs. */
  readonly directory: string
  /** The builder's working directory, which the caller removes. */
  readonly work: string
  readonly version: string
  /** The timestamp of its content, in seconds. */
  readonly seconds: number
  /** The base image instead of Node's own, in buildah's form: `oci-archive:FILE`, say. */
  readonly base?: string | undefined
}

/** The names of the platforms in OCI. */
const OCI = { 'linux-x64': 'linux/amd64', 'linux-arm64': 'linux/arm64' } as const

/** Throws before any work if no builder is installed. */
export function requireBuilder(): void {
  const { error } = spawnSync('buildah', ['--version'])
  if (error) throw new Error('--image needs buildah, which is not installed: install it, or leave --image out')
}

/**
 * Builds a container image for each platform from its tarball: one OCI layout in a tar file. It needs buildah, which needs no
 * service, and stores nothing in the user's images; and for the other platform, an emulator that the kernel knows, such as
 * qemu-user-static. The same tarballs on the same base give the same bytes.
 */
export async function makeImage(
  file: string,
  { directory, work, version, seconds, base }: ImageOptions,
): Promise<void> {
  const storage = ['--root', join(work, 'images'), '--runroot', join(work, 'running'), '--storage-driver', 'vfs']
  const buildah = (...words: readonly string[]) => run('buildah', ...storage, ...words)
  const layout = join(work, 'layout')
  // A build accepts only images of a registry by name.
  const from = base === undefined ? [] : ['--from', buildah('pull', '--quiet', base).trim()]
  for (const platform of PLATFORMS) {
    buildah(
      ...['build', '--quiet', '--format', 'oci', '--isolation', 'chroot', '--manifest', 'collaboration-spaces'],
      ...['--platform', OCI[platform], '--timestamp', `${seconds}`, '--build-arg', `SOURCE_DATE_EPOCH=${seconds}`],
      ...['--build-context', `release=${directory}`, ...from],
      inCheckout('examples/deployment/container'),
    )
  }
  buildah('manifest', 'push', '--quiet', '--all', 'collaboration-spaces', `oci:${layout}:${version}`)
  await packContents(layout, file, seconds)
}
