import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from './archive.js'
import { commitTime, inCheckout, manifestOf, pnpm, run } from './checkout.js'
import { makeImage, requireBuilder } from './image.js'
import { emojiNotices, postgresqlNotices } from './notices.js'
import { packForNpm } from './npm.js'
import { PLATFORMS, postgresqlOf } from './postgresql.js'
import { writeBill } from './sbom.js'
import { layOut } from './tree.js'
import { writeVex } from './vex.js'

/** The packages for npm. */
const PACKAGES = ['packages/client', 'apps/cli']

const CHECKSUMS = 'SHA256SUMS'

/** For Homebrew. */
const FORMULA = 'collaboration-spaces.rb'

export interface MakeOptions {
  /** Whether to build a container image, or its base if not Node's own image. */
  readonly image: boolean
  readonly base?: string | undefined
}

/** Builds all release files of the built checkout, in an empty or new directory. */
export async function make(
  directory: string,
  { image, base }: MakeOptions,
  say: (line: string) => void,
): Promise<void> {
  if (image) requireBuilder()
  mkdirSync(directory, { recursive: true })
  if (readdirSync(directory).length > 0) throw new Error(`${directory} is not empty`)
  const { version } = manifestOf(inCheckout())
  const name = `collaboration-spaces-${version}`
  const place = (file: string) => join(directory, file)
  const seconds = commitTime()

  const work = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    for (const platform of PLATFORMS) {
      const tree = join(work, `${name}-${platform}`)
      const inside = await layOut(tree, postgresqlOf(platform, work))
      await pack(tree, place(`${name}-${platform}.tar.gz`), seconds)
      writeBill(place(`${name}-${platform}.cdx.json`), inside, [...emojiNotices(), ...postgresqlNotices()], seconds)
    }
    writeVex(place(`${name}.openvex.json`), version, postgresqlNotices(), seconds)
    await packForNpm(directory, work)
    writeFileSync(place(FORMULA), formulaOf(version, sha256(place(`${name}.tgz`))))
    if (image) await makeImage(place(`${name}.oci.tar`), { directory, work, version, seconds, base })
  } finally {
    rmSync(work, { recursive: true })
  }
  for (const folder of PACKAGES) pnpm('-C', folder, 'pack', '--ignore-scripts', '--pack-destination', directory)
  run('git', 'archive', '--format=tar.gz', `--prefix=${name}/`, '--output', place(`${name}-source.tar.gz`), 'HEAD')
  writeFileSync(place(`${name}-changes.md`), changesOf(version))

  const files = readdirSync(directory).sort()
  writeFileSync(place(CHECKSUMS), files.map((file) => `${sha256(place(file))}  ${file}\n`).join(''))
  for (const file of [...files, CHECKSUMS]) say(place(file))
}

/** Returns the formula that installs the server's npm package of a release. */
function formulaOf(version: string, sum: string): string {
  const template = readFileSync(inCheckout('release/files/formula.rb'), 'utf8')
  return template.replaceAll('{{version}}', version).replaceAll('{{sha256}}', sum)
}

/** Returns the changelog's section of this version, or of the next one before its release. */
function changesOf(version: string): string {
  const [, ...sections] = readFileSync(inCheckout('CHANGELOG.md'), 'utf8').split(/^(?=## )/m)
  const section =
    sections.find((text) => text.startsWith(`## ${version} (`)) ?? sections.find((text) => text.startsWith('## Unr'))
  if (section === undefined) throw new Error(`CHANGELOG.md says nothing of ${version}`)
  return section.trimEnd().concat('\n')
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
