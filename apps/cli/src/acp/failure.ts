/** The agent failed at what it was asked. The batch stays, and it is asked again a few times. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure'

  /** `summary` has nothing in it that the program wrote, so that all participants may read it. */
  constructor(
    readonly summary: string,
    detail = summary,
  ) {
    super(detail)
  }
}

/** The work ended through no fault of the agent: it was stopped, or ended because of something else. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
}
