import type { Download } from '@collab-spaces/api'
import { byteRangeOf, dispositionOf, namesTag } from '@collab-spaces/domain'
import type { Response } from 'express'
import { RangeNotSatisfiable } from './errors.js'
import { without } from './headers.js'
import { sendBytes } from './write.js'

/** Nothing of a file is run or embedded, whatever it contains. */
const SANDBOXED = ['Content-Security-Policy', "sandbox; default-src 'none'"] as const

/** Sends the bytes of a file, or the requested part of them. */
export async function sendDownload(response: Response, download: Download, isHead: boolean): Promise<void> {
  const { file, conditions } = download
  const tag = `"${file.sha256}"`
  const headers = [...SANDBOXED, 'ETag', tag, 'Accept-Ranges', 'bytes', ...digestHeader(file.sha256)]
  const keeping = keepingHeaders(file)
  headers.push(...keeping)
  response.commonHeaders = without(response.commonHeaders, [...SANDBOXED, ...keeping])
  if (namesTag(conditions.ifNoneMatch, tag)) {
    response.begin(304, headers)
    response.end()
    return
  }
  // A part of another content than the one that the reader has would damage it.
  const isStale = conditions.ifRange !== undefined && conditions.ifRange !== tag
  const range = isStale ? null : byteRangeOf(conditions.range, file.size)
  if (range === 'unsatisfiable') throw new RangeNotSatisfiable(file.size)
  const part = range ?? { from: 0, to: file.size }
  headers.push(
    ...['Content-Type', file.imageType ?? file.contentType],
    ...['Content-Disposition', dispositionOf(file.imageType === null ? 'attachment' : 'inline', file.name)],
    ...['Content-Length', String(part.to - part.from)],
    ...(range ? ['Content-Range', `bytes ${part.from}-${part.to - 1}/${file.size}`] : []),
  )
  const status = range ? 206 : 200
  if (isHead || part.to === part.from) {
    response.begin(status, headers)
    response.end()
    return
  }
  await sendBytes(response, status, headers, download.bytes(part))
}

/** A cache keeps it for the credential that it was sent to. */
const keepingHeaders = ({ maxAge }: Download['file']): readonly string[] =>
  maxAge === undefined ? [] : ['Cache-Control', `private, max-age=${maxAge}, immutable`, 'Vary', 'Authorization']

const digestHeader = (sha256: string) => ['Repr-Digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`]
