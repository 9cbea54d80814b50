// Verifies the receipt of a decision with a pinned key, with nothing but Node: signed notes, and inclusion proofs of RFC 6962.
import { createPublicKey, hash, verify } from 'node:crypto'

const sha256 = (...parts) => hash('sha256', Buffer.concat(parts.map((part) => Buffer.from(part))), 'buffer')

/** Thrown with the reason why something proves nothing. */
export class NotProved extends Error {}

function required(holds, problem) {
  if (!holds) throw new NotProved(problem)
}

/** Decodes base64 in its one spelling. */
function decoded(text) {
  const bytes = Buffer.from(text, 'base64')
  required(bytes.toString('base64') === text, 'something in it is no base64')
  return bytes
}

const PUBLIC_DER = Buffer.from('302a300506032b6570032100', 'hex')

/** Returns the text of a note that a key has signed. */
function opened(note, key) {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(key) ?? []
  required(name !== undefined, 'the pinned key is none')
  const bytes = decoded(encoded)
  const own = sha256(`${name}\n`, bytes).subarray(0, 4)
  required(bytes[0] === 1 && bytes.length === 33 && own.toString('hex') === id, 'the pinned key is none')
  const end = note.lastIndexOf('\n\n')
  const [, signer, signature = ''] = /^— (\S+) (\S+)\n$/.exec(note.slice(end + 2)) ?? []
  const signed = decoded(signature)
  required(end !== -1 && signer === name && signed.subarray(0, 4).equals(own), 'it is signed with another key')
  const text = note.slice(0, end + 1)
  const publicKey = createPublicKey({
    key: Buffer.concat([PUBLIC_DER, bytes.subarray(1)]),
    format: 'der',
    type: 'spki',
  })
  required(verify(null, Buffer.from(text), publicKey, signed.subarray(4)), 'a signature is wrong')
  return text
}

/** Returns the root to which a proof leads (RFC 9162, section 2.1.3.2). */
function rootOf(leaf, index, size, proof) {
  let [root, at, last] = [leaf, index, size - 1]
  required(index >= 0 && index < size, 'a position is beyond the checkpoint')
  for (const other of proof) {
    required(last > 0, 'a proof is too long')
    if (at % 2 === 1 || at === last) {
      root = sha256([1], other, root)
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else root = sha256([1], root, other)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  required(last === 0, 'a proof is too short')
  return root
}

/** Returns the acts of a decision of a space that a receipt proves. Throws a `NotProved`. */
export function provenActs(text, key, space) {
  const receipt = JSON.parse(text)
  required(receipt.format === 'collaboration-spaces-receipt' && receipt.version === 1, 'it is no receipt')
  required(`${JSON.stringify(receipt)}` === text.replace(/\n$/, ''), 'it was changed')
  const { seal, ...content } = receipt
  const digest = sha256(JSON.stringify(content)).toString('base64')
  required(opened(seal, key) === `collaboration-spaces/file\n${digest}\n`, 'it was changed')
  const [origin, size, root] = opened(receipt.checkpoint, key).split('\n')
  required(origin.split('/').slice(2, -1).join('/') === `spaces/${space}/decisions`, `it is of another log: ${origin}`)
  return receipt.entries.map(({ position, line, redacted, proof }) => {
    required(redacted === null, `position ${position} was erased`)
    const found = rootOf(sha256([0], line), position - 1, Number(size), proof.map(decoded))
    required(found.toString('base64') === root, `position ${position} is not what was sealed`)
    const { entry } = JSON.parse(line)
    required(entry.decision_id === receipt.subject_id, `position ${position} is about something else`)
    return entry
  })
}
