import { Component, type ReactNode } from 'react'
import { Button } from '../shared/components/Button'
import { EmptyState } from '../shared/components/EmptyState'
import { texts } from '../shared/texts'

interface State {
  readonly hasFailed: boolean
}

interface PageErrorProps {
  /** The current path. A change clears the error. */
  readonly path?: string
  readonly children: ReactNode
}

/** The error boundary: shows an error page when a component throws. */
export class PageError extends Component<PageErrorProps, State> {
  override state: State = { hasFailed: false }

  static getDerivedStateFromError(): State {
    return { hasFailed: true }
  }

  override componentDidUpdate({ path }: PageErrorProps): void {
    if (this.state.hasFailed && path !== this.props.path) this.setState({ hasFailed: false })
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <EmptyState
        isPage
        icon="warning"
        title={texts.errors.page}
        action={
          <Button look="primary" onClick={() => window.location.reload()}>
            {texts.errors.reload}
          </Button>
        }
      >
        {texts.errors.pageAdvice}
      </EmptyState>
    )
  }
}
