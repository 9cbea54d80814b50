import type { Link as SpaceLink } from '@collab-spaces/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { spacePath } from '../app/paths'
import { Badge } from '../components/Badge'
import { Button, IconButton } from '../components/Button'
import { EmptyState } from '../components/EmptyState'
import { ErrorNote } from '../components/ErrorNote'
import { Icon } from '../components/Icon'
import { Loaded } from '../components/Loaded'
import { OutsideLink } from '../components/OutsideLink'
import { Panel } from '../components/Panel'
import { safeAddress } from '../markdown/Markdown'
import { useDeleteLink, useLinks } from '../query/link'
import type { PanelProps } from '../space/panel-props'
import { texts } from '../texts'
import { CreateLink } from './CreateLink'
import { LinkGraph } from './LinkGraph'
import styles from './LinksPanel.module.css'

/** The links of a space: to other spaces, and pages elsewhere. */
export function LinksPanel({ spaceId, onClose }: PanelProps) {
  const query = useLinks(spaceId)
  const { data: links } = query
  const [isAdding, setIsAdding] = useState(false)
  const words = texts.links
  const add = (
    <Button icon="plus" onClick={() => setIsAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <Panel title={words.title} onClose={onClose} footer={links && links.length > 0 && add}>
      <Loaded query={query} rows={4}>
        {(links) =>
          links.length === 0 ? (
            <EmptyState icon="graph" title={words.emptyTitle} action={add}>
              {words.emptyText}
            </EmptyState>
          ) : (
            <div className={styles.links}>
              <LinkGraph spaceId={spaceId} links={links} />
              <ul>
                {links.map((link) => (
                  <Row key={link.link_id} link={link} />
                ))}
              </ul>
            </div>
          )
        }
      </Loaded>
      {isAdding && <CreateLink spaceId={spaceId} onClose={() => setIsAdding(false)} />}
    </Panel>
  )
}

function Row({ link }: { readonly link: SpaceLink }) {
  const { link_id, space_id, target_id, target_uri, link_type } = link
  const remove = useDeleteLink(space_id)
  const target = target_id ?? target_uri ?? ''
  const address = safeAddress(target)
  return (
    <li className={styles.row}>
      <Icon name={target_id === null ? 'link' : 'space'} size={16} />
      <div className={styles.words}>
        {target_id !== null ? (
          <Link href={spacePath(target_id)}>{target_id}</Link>
        ) : address !== null ? (
          <OutsideLink href={address}>{target}</OutsideLink>
        ) : (
          <span>{target}</span>
        )}
        <Badge>{link_type}</Badge>
        {remove.isError && <ErrorNote error={remove.error} />}
      </div>
      <IconButton
        size="small"
        icon="close"
        label={texts.links.remove(target)}
        disabled={remove.isPending}
        onClick={() => remove.mutate(link_id)}
      />
    </li>
  )
}
