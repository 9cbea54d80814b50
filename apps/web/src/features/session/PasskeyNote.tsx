import { signInTexts } from './texts'

/** Says where passkeys work: a browser binds them to a name, and an IP address is none. */
export function PasskeyNote({ origin }: { readonly origin: string }) {
  return (
    <p>
      <small>
        {signInTexts.passkeysAt}{' '}
        <a href={origin + window.location.pathname} data-reach>
          <bdi>{origin}</bdi>
        </a>
      </small>
    </p>
  )
}
