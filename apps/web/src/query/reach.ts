import { SpacesError } from '@collab-spaces/client'
import { Cell } from '../cell'

/** Whether the server has not answered lately. A call that may be repeated tries for a while before it fails. */
export const isUnreachable = new Cell(false)

/** Learns from a call that failed, or is about to be repeated. Whatever a server answers, it can be reached. */
export const noteFailure = (error: unknown): void =>
  isUnreachable.set(error instanceof SpacesError && error.status === null)

export const noteAnswer = (): void => isUnreachable.set(false)
