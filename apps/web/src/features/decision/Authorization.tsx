import type { Decision } from '@collab-spaces/client'
import { Fact, Facts } from '../../shared/components/Fact'
import { Time } from '../../shared/components/Time'
import type { Names } from '../../shared/query/names'
import styles from './Authorization.module.css'
import { argumentRows } from './argument-rows'
import { authorizationTexts } from './texts'

interface AuthorizationProps {
  readonly decision: Decision
  readonly names: Names
}

/** What a decision authorizes: its action with the arguments and their edit, until when, and its use. */
export function Authorization({ decision, names }: AuthorizationProps) {
  const { action, options, option, used_at, used_by, expires_at, is_expired } = decision
  if (!action && !expires_at && !option) return null
  const words = authorizationTexts
  const chosen = options?.find(({ id }) => id === option)
  return (
    <section className={styles.authorization} aria-label={words.label}>
      {action && <Action decision={decision} action={action} />}
      <Facts>
        {chosen && <Fact name={words.chosen}>{chosen.label}</Fact>}
        {expires_at && !used_at && (
          <Fact name={is_expired ? words.expired : words.expires}>
            <Time at={expires_at} />
          </Fact>
        )}
        {used_at && used_by && (
          <Fact name={words.usedBy}>
            <bdi>{names.nameOf(used_by)}</bdi> <Time at={used_at} form="moment" />
          </Fact>
        )}
      </Facts>
    </section>
  )
}

interface ActionProps {
  readonly decision: Decision
  readonly action: NonNullable<Decision['action']>
}

function Action({ decision: { edit }, action }: ActionProps) {
  const words = authorizationTexts
  const usable = edit ?? action
  return (
    <>
      <h3 dir="auto">{action.title ?? action.type}</h3>
      <table className={styles.arguments}>
        <caption className={styles.caption}>{edit ? words.editedArguments : words.arguments}</caption>
        <tbody>
          {argumentRows(action.arguments, edit?.arguments).map(({ name, before, after }) => (
            <tr key={name}>
              <th scope="row" dir="auto">
                {name}
              </th>
              <td dir="auto">
                {before !== after && before !== null && <del>{before}</del>}
                {before !== after && after !== null ? <ins>{after}</ins> : before === after && after}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <details className={styles.raw}>
        <summary>{words.raw}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard */}
        <pre tabIndex={0} dir="ltr">
          {JSON.stringify({ type: action.type, arguments: usable.arguments }, null, 2)}
        </pre>
        <small className={styles.digest}>{usable.digest}</small>
      </details>
    </>
  )
}
