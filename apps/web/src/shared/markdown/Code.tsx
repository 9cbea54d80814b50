import { Fragment, type ReactNode, startTransition, useEffect, useState } from 'react'
import { copyText } from '../browser/copy'
import { IconButton } from '../components/Button'
import { texts } from '../texts'
import styles from './Code.module.css'
import { findColours, knownColours } from './colours'
import type { HighlightNode } from './highlight'

interface CodeProps {
  readonly text: string
  readonly language: string
}

/** A code block. Its highlighting appears after its text. */
export function Code({ text, language }: CodeProps) {
  const nodes = useHighlighted(text, language)
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await copyText(text)
    setIsCopied(true)
  }
  return (
    <div className={styles.code} dir="ltr">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable */}
      <pre tabIndex={0}>
        <code>{nodes ? nodes.map(element) : text}</code>
      </pre>
      <span className={styles.copy}>
        <IconButton
          size="small"
          icon={isCopied ? 'check' : 'copy'}
          label={isCopied ? texts.copied : texts.code.copy}
          onClick={copy}
        />
      </span>
    </div>
  )
}

function useHighlighted(text: string, language: string): readonly HighlightNode[] | null {
  const [nodes, setNodes] = useState(() => knownColours(text, language))
  // Renders a long block without blocking input.
  useEffect(() => findColours(text, language, (colours) => startTransition(() => setNodes(colours))), [text, language])
  return nodes
}

function element(node: HighlightNode, at: number): ReactNode {
  if (node.type === 'text') return <Fragment key={at}>{node.value}</Fragment>
  return (
    <span key={at} className={node.classes.map((name) => styles[name]).join(' ')}>
      {node.children.map(element)}
    </span>
  )
}
