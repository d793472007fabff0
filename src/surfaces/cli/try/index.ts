/** The workbench: pure filters over JSON Lines, no database. Each module exports `run(args)`. */
export const FILTERS: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  guard: () => import('./guard.ts'),
  chunk: () => import('./chunk.ts'),
  price: () => import('./price.ts'),
  robots: () => import('./robots.ts'),
  search: () => import('./search.ts'),
  url: () => import('./url.ts'),
  extract: () => import('./extract.ts'),
};
