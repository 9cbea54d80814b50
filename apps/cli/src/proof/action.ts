import { lossyIntegerIn } from '@collab-spaces/client'
import { actionDigest } from '@collab-spaces/merkle'
import { failed } from '../failure.js'
import { textFrom } from '../input/utf8.js'
import { parsed } from '../json-file.js'
import type { JsonObject } from '../options/parsers.js'

/** An action as a proposal sends it. Other fields of its file, such as `title`, are sent along. */
export interface Action {
  readonly type: string
  readonly arguments: JsonObject
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads an action from a file of JSON, and computes its digest without a server. */
export async function actionFrom(path: string): Promise<{ readonly action: Action; readonly digest: string }> {
  const text = await textFrom(path)
  const lossy = lossyIntegerIn(text)
  if (lossy !== null) throw failed(`${path}: ${lossy} loses digits`, 'Write it as a string')
  const value = parsed(text)
  if (!isObject(value) || typeof value.type !== 'string' || !isObject(value.arguments)) {
    throw failed(`${path}: no action`, 'It is a JSON object such as {"type": "deploy", "arguments": {"version": 82}}')
  }
  const action = { ...value, type: value.type, arguments: value.arguments }
  return { action, digest: actionDigest(action) }
}
