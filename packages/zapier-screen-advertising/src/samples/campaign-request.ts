export const campaignRequest = {
  id: 'cr_0001',
  status: 'rejected',
  industry: 'retail',
};
