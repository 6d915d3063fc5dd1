export const campaignRequest = {
  id: 'cr_0001',
  status: 'rejected',
  industry: 'retail',
};

export const statusChange = {
  change_id: 'cr_0001 rejected 2027-03-01T09:00:00.000Z 1',
  ...campaignRequest,
};
