import type { EventFile } from '@collab-spaces/client'
import { type ReactNode, useMemo } from 'react'
import { EmptyState } from '../../shared/components/EmptyState'
import { Loaded } from '../../shared/components/Loaded'
import { Code } from '../../shared/markdown/Code'
import { Markdown } from '../../shared/markdown/Markdown'
import { MAX_TEXT_BYTES, type useFile, useFileText } from '../../shared/query/file'
import { MAX_COLUMNS, MAX_ROWS, parseCsv } from './csv'
import styles from './FilePreview.module.css'
import { extensionOf, iconOf, kindOf } from './file-kind'
import { goneOf } from './gone'
import { viewerTexts } from './texts'
import { useImage } from './useImage'

interface FilePreviewProps {
  readonly spaceId: string
  readonly file: EventFile
  /** The query for the file. */
  readonly found: ReturnType<typeof useFile>
}

/** The content of a file as the page can show it without running anything: as an image, or as text. */
export function FilePreview({ spaceId, file, found }: FilePreviewProps): ReactNode {
  const gone = goneOf(found)
  if (gone === 'unavailable') {
    return (
      <EmptyState icon="file" title={viewerTexts.goneTitle}>
        {viewerTexts.goneText}
      </EmptyState>
    )
  }
  if (gone !== null) {
    return (
      <EmptyState icon="file" title={viewerTexts.deletedTitle}>
        {viewerTexts.deletedText}
      </EmptyState>
    )
  }
  if (kindOf(file) === 'image') return <ImagePreview spaceId={spaceId} file={file} />
  if (kindOf(file) === 'other') return <NoPreview file={file} />
  return <TextPreview spaceId={spaceId} file={file} />
}

const NoPreview = ({ file }: Pick<FilePreviewProps, 'file'>) => (
  <EmptyState icon={iconOf(file)} title={viewerTexts.noPreview}>
    {viewerTexts.noPreviewText}
  </EmptyState>
)

function ImagePreview({ spaceId, file }: Pick<FilePreviewProps, 'spaceId' | 'file'>) {
  const { src, problem, onLoad, onError } = useImage(spaceId, file.file_id)
  if (problem !== null) return <NoPreview file={file} />
  return (
    <div className={styles.image}>
      {src !== null && <img src={src} alt={file.name} onLoad={onLoad} onError={onError} />}
    </div>
  )
}

function TextPreview({ spaceId, file }: Pick<FilePreviewProps, 'spaceId' | 'file'>) {
  const { file_id: fileId, size } = file
  const query = useFileText({ spaceId, fileId, size })
  return (
    <Loaded query={query} rows={6}>
      {({ text, isCut }) =>
        text === null ? (
          <NoPreview file={file} />
        ) : (
          <>
            {isCut && (
              <p className={styles.cut} role="status">
                {viewerTexts.cut(MAX_TEXT_BYTES)}
              </p>
            )}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable */}
            <section className={styles.text} tabIndex={0} data-scrolls aria-label={viewerTexts.content(file.name)}>
              {text === '' ? <p>{viewerTexts.empty}</p> : <Rendered file={file} text={text} />}
            </section>
          </>
        )
      }
    </Loaded>
  )
}

function Rendered({ file, text }: { readonly file: EventFile; readonly text: string }): ReactNode {
  switch (kindOf(file)) {
    case 'markdown':
      return <Markdown text={text} />
    case 'csv':
      return <CsvTable text={text} />
    default:
      return <Code text={text} language={extensionOf(file.name)} />
  }
}

function CsvTable({ text }: { readonly text: string }) {
  const rows = useMemo(() => parseCsv(text), [text])
  const [head = [], ...body] = rows
  const shown = body.slice(0, MAX_ROWS)
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>{cellsOf(head, 'th')}</tr>
        </thead>
        <tbody>
          {shown.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
            <tr key={at}>{cellsOf(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
      {shown.length < body.length && <p className={styles.cut}>{viewerTexts.rows(shown.length, body.length)}</p>}
    </>
  )
}

const cellsOf = (row: readonly string[], kind: 'th' | 'td'): ReactNode[] =>
  row.slice(0, MAX_COLUMNS).map((text, at) => {
    // A title without words is none.
    const Cell = text.trim() === '' ? 'td' : kind
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
      <Cell key={at}>
        <bdi>{text}</bdi>
      </Cell>
    )
  })
