import type { Link as SpaceLink } from '@collab-spaces/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../shared/components/Badge'
import { Button, IconButton } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { Icon } from '../../shared/components/Icon'
import { Loaded } from '../../shared/components/Loaded'
import { Panel, type PanelProps } from '../../shared/components/Panel'
import { SpaceName } from '../../shared/components/SpaceName'
import { UserLink } from '../../shared/components/Text'
import { safeAddress } from '../../shared/markdown/Markdown'
import { spacePath } from '../../shared/navigation/paths'
import { useDeleteLink, useLinks } from '../../shared/query/link'
import { useSpaceIcon } from '../../shared/query/space-icon'
import { useSpaceNames } from '../../shared/query/space-name'
import { CreateLink } from './CreateLink'
import { leadsTo } from './graph'
import { LinkGraph } from './LinkGraph'
import styles from './LinksPanel.module.css'
import { linksTexts } from './texts'

/** The links of a space to other spaces and to web pages, and those of other spaces to it. */
export function LinksPanel({ spaceId, onClose }: PanelProps) {
  const query = useLinks(spaceId)
  const { data: links } = query
  const [isAdding, setIsAdding] = useState(false)
  const words = linksTexts
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
              <Links title={words.out} links={links.filter((link) => !leadsTo(spaceId, link))} spaceId={spaceId} />
              <Links title={words.into} links={links.filter((link) => leadsTo(spaceId, link))} spaceId={spaceId} />
            </div>
          )
        }
      </Loaded>
      {isAdding && <CreateLink spaceId={spaceId} onClose={() => setIsAdding(false)} />}
    </Panel>
  )
}

interface LinksProps {
  readonly title: string
  readonly links: readonly SpaceLink[]
  readonly spaceId: string
}

function Links({ title, links, spaceId }: LinksProps) {
  if (links.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {links.map((link) => (
          <Row key={link.link_id} link={link} isOutgoing={!leadsTo(spaceId, link)} />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly link: SpaceLink
  /** Whether the link starts in this space. Only its source space can remove it. */
  readonly isOutgoing: boolean
}

function Row({ link, isOutgoing }: RowProps) {
  const { link_id, space_id, target_uri, link_type } = link
  const remove = useDeleteLink(space_id)
  const other_id = isOutgoing ? link.target_id : space_id
  const other = other_id ?? target_uri ?? ''
  const address = safeAddress(other)
  const nameOf = useSpaceNames()
  const icon = useSpaceIcon(other_id ?? '')
  return (
    <li className={styles.row}>
      <Icon name={other_id === null ? 'link' : icon} size={16} />
      <div className={styles.words}>
        {other_id !== null ? (
          <Link href={spacePath(other_id)}>
            <SpaceName spaceId={other_id} />
          </Link>
        ) : address !== null ? (
          <UserLink href={address}>{other}</UserLink>
        ) : (
          <span>{other}</span>
        )}
        <Badge>{link_type}</Badge>
        {remove.isError && <ErrorNote error={remove.error} />}
      </div>
      {isOutgoing && (
        <IconButton
          size="small"
          icon="close"
          label={linksTexts.remove(other_id === null ? other : nameOf(other_id))}
          disabled={remove.isPending}
          onClick={() => remove.mutate(link_id)}
        />
      )}
    </li>
  )
}
