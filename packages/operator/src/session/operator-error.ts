/** Why what the operator wants cannot be done. The message is one line for the operator. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
