import type { PermissionOption, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { cutText, LIMITS } from '@collab-spaces/client'
import type { JsonObject } from '../options/parsers.js'
import type { Action } from '../proof/action.js'
import { cleanLine } from '../terminal/clean.js'

/** Returns the action of a tool call: all of it but the ID, which a restarted agent makes anew. */
export function actionOf({ toolCallId: _, ...call }: ToolCallUpdate): Action {
  // As it is sent: without fields that are undefined.
  return { type: 'acp.tool_call', arguments: JSON.parse(JSON.stringify(call)) as JsonObject }
}

/** Whether a decision can hold a tool call as a whole. A cut one must not be approved. */
export const isComplete = (call: ToolCallUpdate): boolean =>
  Buffer.byteLength(JSON.stringify(actionOf(call).arguments)) <= LIMITS.freeJsonBytes

/** The options of a request as those of a decision. */
export interface Choices {
  readonly shown: readonly { readonly id: string; readonly label: string; readonly denies: boolean }[]
  /** The agent's options by the IDs that are shown. */
  readonly options: ReadonlyMap<string, PermissionOption>
}

const ID = new RegExp(`^[\\w-]{1,${LIMITS.optionId}}$`)

/** A decision offers at least two options: refusing is always one. */
const REFUSAL = { id: 'refuse', label: 'Refuse', denies: true }

/** Returns the options by the agent's own IDs, or numbered if these have another form; null for more than fit. */
export function choicesOf(given: readonly PermissionOption[]): Choices | null {
  const isOwn = given.every(({ optionId }) => ID.test(optionId)) && isDistinct(given)
  const named = given.map((option, index) => ({ option, id: isOwn ? option.optionId : `option-${index + 1}` }))
  const own = named.map(({ option: { name, kind }, id }) => ({
    id,
    label: cutText(cleanLine(name), LIMITS.optionLabel).trim() || id,
    denies: kind.startsWith('reject'),
  }))
  const shown = own.length === 1 && own[0]?.id !== REFUSAL.id ? [...own, REFUSAL] : own
  if (shown.length < 2 || shown.length > LIMITS.options) return null
  return { shown, options: new Map(named.map(({ option, id }) => [id, option])) }
}

const isDistinct = (options: readonly PermissionOption[]) =>
  new Set(options.map(({ optionId }) => optionId)).size === options.length
