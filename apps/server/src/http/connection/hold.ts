import type { Socket } from 'node:net'

/** A connection that is not read from, whoever else wants to read it, until it is let go. */
export class Hold {
  #isHeld = false

  constructor(readonly socket: Socket) {
    // Whoever reads the body of a request has its connection read, too, and so does Node after each request.
    socket.on('resume', () => {
      if (this.#isHeld) socket.pause()
    })
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  hold(): void {
    this.#isHeld = true
    this.socket.pause()
  }

  letGo(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.socket.resume()
  }
}
