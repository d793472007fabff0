export type Strategy = 'bfs' | 'dfs' | 'best_first';

/**
 * The strategy as one number, smallest first: breadth first by depth, depth first by newest among the deepest, best
 * first by score. It decides among tasks of one priority, and ties go to age (the claim index holds priority, rank, id).
 */
export function rankOf(strategy: Strategy, depth: number, score: number, now = Date.now()): number {
  if (strategy === 'bfs') return depth;
  if (strategy === 'dfs') return -depth * 1e13 - now;
  return -score;
}
