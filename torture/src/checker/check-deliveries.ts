import type { Delivery } from '../load/receiver.js'

/**
 * Checks that the deliveries of a webhook are the stored order, split into requests. Each event is delivered. Only
 * whole requests are repeated, with the same id and bytes, and never after a later request was accepted.
 */
export function checkDeliveries(name: string, deliveries: readonly Delivery[], order: readonly string[]): string[] {
  const violations: string[] = []
  const sent: Delivery[] = []
  for (const delivery of deliveries) {
    const earlier = sent.findIndex(({ id }) => id === delivery.id)
    if (earlier === -1) sent.push(delivery)
    else if (earlier !== sent.length - 1) violations.push(`${delivery.id} came again after the request that follows it`)
    else if (sent[earlier]?.digest !== delivery.digest) violations.push(`${delivery.id} came again with other bytes`)
  }
  for (const [index, { id, since }] of sent.entries()) {
    const before = sent[index - 1]?.eventIds.at(-1) ?? null
    if (since !== before) violations.push(`${id} says that it follows ${since}, and came after ${before}`)
  }
  const seen = sent.flatMap(({ eventIds }) => eventIds)
  const wrong = seen.findIndex((eventId, index) => eventId !== order[index])
  if (wrong !== -1) {
    const place = order.indexOf(seen[wrong] ?? '')
    violations.push(`the event that it sent as number ${wrong + 1} is stored as number ${place + 1}`)
  } else if (seen.length < order.length) {
    violations.push(`sent ${seen.length} of ${order.length} events, and no more came`)
  }
  return violations.map((violation) => `${name}: ${violation}`)
}
