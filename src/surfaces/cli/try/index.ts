/** The workbench: pure filters over JSON Lines, no database. Each module exports `run(args)`. */
export const FILTERS: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  price: () => import('./price.ts'),
};
