import type { RequestHandler } from 'express'
import type { Metrics } from '../metrics.js'

/** Counts requests once they are over, by what they turned out to be. */
export const countRequests =
  (metrics: Metrics): RequestHandler =>
  (request, response, next) => {
    response.once('close', () => {
      const { operation, begunAt, isLasting } = request
      if (operation === null) return
      metrics.count({ operation, status: response.statusCode, isLasting }, performance.now() - begunAt)
    })
    next()
  }
