import type { IncomingFormat, IncomingRequest } from '../incoming-webhook.js'
import type { JsonObject } from '../json.js'
import { fromGithub } from './github.js'
import { fromJson } from './json.js'
import { fromSlack } from './slack.js'
import { fromStandard } from './standard.js'

/** A request to an incoming webhook. */
interface ReceivedRequest {
  readonly format: IncomingFormat
  readonly template: string | null
  /** The event that GitHub names in a header; '' if there is none. */
  readonly event: string
  readonly body: JsonObject
}

/** Returns what a request says. 400 if it is not of the format of its webhook. */
export function incomingRequestOf({ format, template, event, body }: ReceivedRequest): IncomingRequest {
  switch (format) {
    case 'json':
      return fromJson(body)
    case 'slack':
      return fromSlack(body)
    case 'standard':
      return fromStandard(body, template)
    case 'github':
      return fromGithub(event, body)
  }
}
